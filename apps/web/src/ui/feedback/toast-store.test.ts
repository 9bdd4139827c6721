import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { toastDelay, toastFade, toastQueueCheck } from '#lib/constants.ts'
import { createToastStore, toastDuration } from './toast-store.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const texts = (store: ReturnType<typeof createToastStore>): readonly string[] => store.snapshot().map(({ text }) => text)

describe('the duration of a notification', () => {
  test.each([
    ['', 6000],
    ['a', 7000],
    ['a'.repeat(120), 7000],
    ['a'.repeat(121), 8000],
    ['🙂'.repeat(120), 7000],
  ])('%#', (text, expected) => {
    expect(toastDuration(text)).toBe(expected)
  })

  test('a notification appears after 100 ms, closes automatically and fades for 150 ms', () => {
    const store = createToastStore()
    const onClose = vi.fn()
    store.add({ text: 'saved', onClose })
    vi.advanceTimersByTime(toastDelay - 1)
    expect(texts(store)).toEqual([])
    vi.advanceTimersByTime(1)
    expect(texts(store)).toEqual(['saved'])
    vi.advanceTimersByTime(6999)
    expect(store.snapshot()[0]?.closing).toBe(false)
    vi.advanceTimersByTime(1)
    expect(store.snapshot()[0]?.closing).toBe(true)
    expect(onClose).toHaveBeenCalledOnce()
    vi.advanceTimersByTime(toastFade)
    expect(texts(store)).toEqual([])
  })

  test('a permanent notification stays until it is closed', () => {
    const store = createToastStore()
    const id = store.add({ text: 'offline', permanent: true })
    vi.advanceTimersByTime(3_600_000)
    expect(texts(store)).toEqual(['offline'])
    store.close(id)
    vi.advanceTimersByTime(toastFade)
    expect(texts(store)).toEqual([])
  })

  test('the timer pauses while the pointer is over the notification', () => {
    const store = createToastStore()
    const id = store.add({ text: 'x', duration: 1000 })
    vi.advanceTimersByTime(toastDelay + 600)
    store.pause(id)
    vi.advanceTimersByTime(60_000)
    expect(store.snapshot()[0]?.closing).toBe(false)
    store.resume(id)
    vi.advanceTimersByTime(399)
    expect(store.snapshot()[0]?.closing).toBe(false)
    vi.advanceTimersByTime(1)
    expect(store.snapshot()[0]?.closing).toBe(true)
  })
})

describe('several notifications', () => {
  test('are stacked', () => {
    const store = createToastStore()
    store.add({ text: 'one' })
    store.add({ text: 'two' })
    vi.advanceTimersByTime(toastDelay)
    expect(texts(store)).toEqual(['one', 'two'])
  })

  test('a queued one waits for those at its position, checking every 250 ms', () => {
    const store = createToastStore()
    store.add({ text: 'one', duration: 1000 })
    store.add({ text: 'elsewhere', position: 'top', permanent: true })
    store.add({ text: 'two', mode: 'queue' })
    vi.advanceTimersByTime(toastDelay)
    expect(texts(store)).toEqual(['one', 'elsewhere'])
    vi.advanceTimersByTime(1000 + toastFade + toastQueueCheck)
    expect(texts(store)).toEqual(['elsewhere', 'two'])
  })

  test('a replacing one replaces those at its position at once', () => {
    const store = createToastStore()
    store.add({ text: 'one', permanent: true })
    store.add({ text: 'elsewhere', position: 'top-left', permanent: true })
    vi.advanceTimersByTime(toastDelay)
    store.add({ text: 'two', mode: 'replace' })
    vi.advanceTimersByTime(toastDelay)
    expect(texts(store)).toEqual(['elsewhere', 'two'])
  })

  test('one in the page flow doesn’t block those at a position', () => {
    const store = createToastStore()
    store.add({ text: 'offline', inFlow: true, permanent: true })
    vi.advanceTimersByTime(toastDelay)
    store.add({ text: 'one', mode: 'queue', permanent: true })
    vi.advanceTimersByTime(toastDelay)
    expect(texts(store)).toEqual(['offline', 'one'])
    store.add({ text: 'two', mode: 'replace' })
    vi.advanceTimersByTime(toastDelay)
    expect(texts(store)).toEqual(['offline', 'two'])
  })

  test('the same problem twice gives one notification', () => {
    const store = createToastStore()
    store.add({ text: 'no', key: 'problem' })
    store.add({ text: 'still no', key: 'problem' })
    vi.advanceTimersByTime(toastDelay)
    expect(texts(store)).toEqual(['still no'])
  })

  test('one that isn’t shown yet can be canceled', () => {
    const store = createToastStore()
    const id = store.add({ text: 'never' })
    store.close(id)
    vi.advanceTimersByTime(60_000)
    expect(texts(store)).toEqual([])
  })

  test('every listener is notified of each change', () => {
    const store = createToastStore()
    const listener = vi.fn()
    const stop = store.subscribe(listener)
    store.add({ text: 'x', duration: 10 })
    vi.advanceTimersByTime(toastDelay + 10 + toastFade)
    expect(listener).toHaveBeenCalledTimes(3)
    stop()
    store.add({ text: 'y' })
    vi.advanceTimersByTime(toastDelay)
    expect(listener).toHaveBeenCalledTimes(3)
  })
})
