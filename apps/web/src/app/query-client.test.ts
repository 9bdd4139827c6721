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
  const logged = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  const failing = {
    queryKey: ['dataset', '1'],
    queryFn: () => Promise.reject(new ApiError(404, { detail: 'gone' })),
    retry: false,
  }
  await createQueryClient().prefetchQuery(failing)
  const calls = logged.mock.calls
  logged.mockRestore()
  return calls
}

test('background failures are reported only if the developer option is on', async () => {
  expect(await fail()).toEqual([])
  stored.set(storageKey, JSON.stringify({ developer: true }))
  expect((await fail()).map(([kind]) => kind)).toEqual([['dataset', '1']])
  stored.set(storageKey, JSON.stringify({ developer: 'yes' }))
  expect(await fail()).toEqual([])
})

test('failed requests are retried, but not while offline', async () => {
  const requests = async (onLine: boolean): Promise<number> => {
    vi.stubGlobal('navigator', { onLine })
    let request = 0
    const queryFn = () => {
      request += 1
      return Promise.reject(new ApiError(0, undefined))
    }
    await createQueryClient().prefetchQuery({ queryKey: ['dataset', '1'], queryFn, retryDelay: 0 })
    return request
  }
  expect(await requests(true)).toBe(3)
  expect(await requests(false)).toBe(1)
})
