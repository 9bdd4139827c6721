import { beforeEach, expect, test, vi } from 'vitest'
import { preferences, storageKey } from './preferences.ts'

const stored = new Map<string, string>()
let isRefused = false
beforeEach(() => {
  stored.clear()
  isRefused = false
  const allowed = (): void => {
    if (isRefused) throw new Error('storage is switched off')
  }
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => {
      allowed()
      return stored.get(key) ?? null
    },
    setItem: (key: string, value: string) => {
      allowed()
      stored.set(key, value)
    },
  })
})

test("all preferences are in one object under one key: language, theme and each dataset's last export", () => {
  preferences.write({ language: 'de' })
  preferences.write({ theme: 'dark' })
  preferences.write({ exports: { d1: { jobId: 'j1', datasetName: 'Reviews' } } })
  expect([...stored.keys()]).toEqual([storageKey])
  expect(JSON.parse(stored.get(storageKey) ?? '')).toMatchObject({
    language: 'de',
    theme: 'dark',
    exports: { d1: { jobId: 'j1', datasetName: 'Reviews' } },
  })
  expect(preferences.read().exports['d1']?.jobId).toBe('j1')
})

test('changes by another tab and unknown keys are kept', () => {
  stored.set(storageKey, JSON.stringify({ later: 1, redirectTo: '/user-settings' }))
  preferences.write({ signedIn: true })
  expect(JSON.parse(stored.get(storageKey) ?? '')).toMatchObject({ later: 1, redirectTo: '/user-settings', signedIn: true })
})

test.each(['', '{', 'null', '7', '[]'])('stored value %j counts as empty', (text) => {
  stored.set(storageKey, text)
  expect(preferences.read()).toMatchObject({ theme: 'system', language: null, exports: {}, developer: false })
})

test('a browser that refuses storage remembers preferences until the page is closed', () => {
  isRefused = true
  preferences.write({ theme: 'light' })
  preferences.write({ language: 'es' })
  expect(preferences.read()).toMatchObject({ theme: 'light', language: 'es' })
})
