import { beforeEach, expect, test, vi } from 'vitest'
import { ApiError } from '#lib/api/api-error.ts'
import { storageKey } from '#lib/prefs/preferences.ts'
import { createQueryClient } from './query-client.ts'

const stored = new Map<string, string>()
beforeEach(() => {
  stored.clear()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
  })
})

const fail = async (): Promise<readonly unknown[][]> => {
  const told = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  const failing = {
    queryKey: ['dataset', '1'],
    queryFn: () => Promise.reject(new ApiError(404, { detail: 'gone' })),
    retry: false,
  }
  await createQueryClient().prefetchQuery(failing)
  const calls = told.mock.calls
  told.mockRestore()
  return calls
}

test('what fails in silence is told to a developer who has switched that on, and to nobody else', async () => {
  expect(await fail()).toEqual([])
  stored.set(storageKey, JSON.stringify({ developer: true }))
  expect((await fail()).map(([what]) => what)).toEqual([['dataset', '1']])
  stored.set(storageKey, JSON.stringify({ developer: 'yes' }))
  expect(await fail()).toEqual([])
})

test('what did not arrive is asked for again, but not while there is no network', async () => {
  const asked = async (onLine: boolean): Promise<number> => {
    vi.stubGlobal('navigator', { onLine })
    let asks = 0
    const queryFn = () => {
      asks += 1
      return Promise.reject(new ApiError(0, undefined))
    }
    await createQueryClient().prefetchQuery({ queryKey: ['dataset', '1'], queryFn, retryDelay: 0 })
    return asks
  }
  expect(await asked(true)).toBe(3)
  expect(await asked(false)).toBe(1)
})
