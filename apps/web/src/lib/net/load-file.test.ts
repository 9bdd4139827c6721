import { expect, test } from 'vitest'
import { loadFile } from './load-file.ts'

test.each([
  'Failed to fetch dynamically imported module: http://localhost/assets/x.js',
  'error loading dynamically imported module: http://localhost/assets/x.js',
  'Importing a module script failed.',
  'Unable to preload CSS for /assets/x.css',
])('%s: reported as an unreachable server', async (message) => {
  await expect(loadFile(() => Promise.reject(new TypeError(message)))).rejects.toMatchObject({ name: 'ApiError', status: 0 })
})

test('a script that loads and throws is reported as its own error', async () => {
  const fault = new TypeError('x is not a function')
  await expect(loadFile(() => Promise.reject(fault))).rejects.toBe(fault)
})

test('a loaded module is returned', async () => {
  expect(await loadFile(() => Promise.resolve('x'))).toBe('x')
})
