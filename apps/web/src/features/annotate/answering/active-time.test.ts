import { maxActiveMs } from '@postil/contract/wire/limits.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type ActiveTime, createActiveTime } from './active-time.ts'

const start = () => {
  const clock = { now: 0 }
  const time = createActiveTime(() => clock.now)
  const wait = (ms: number): void => {
    clock.now += ms
  }
  /** Lets the given time pass, with an input every ten seconds. */
  const work = (ms: number): void => {
    for (let left = ms; left > 0; left -= 10_000) {
      wait(Math.min(10_000, left))
      time.noteInput()
    }
  }
  return { time, wait, work }
}

describe('active time', () => {
  test('counts while a record is shown, once', () => {
    const { time, wait } = start()
    wait(5_000)
    time.show('a')
    wait(7_000)
    expect(time.take('a')).toBe(7_000)
    expect(time.take('a')).toBe(0)
    wait(500)
    time.show('b')
    wait(2_000)
    time.show(null)
    wait(9_000)
    expect([time.take('a'), time.take('b')]).toEqual([500, 2_000])
  })

  test('stops 30 seconds after the last input', () => {
    const { time, wait } = start()
    time.show('a')
    wait(300_000)
    expect(time.take('a')).toBe(30_000)
    time.noteInput()
    wait(1_000)
    expect(time.take('a')).toBe(1_000)
  })

  test('stops while the page is out of view, and continues on return', () => {
    const { time, wait } = start()
    time.show('a')
    wait(2_000)
    time.setInView(false)
    wait(60_000)
    time.setInView(true)
    wait(3_000)
    expect(time.take('a')).toBe(5_000)
  })

  test('counts at most 30 minutes a visit, however often it is sent', () => {
    const { time, work } = start()
    time.show('a')
    work(20 * 60_000)
    expect(time.take('a')).toBe(20 * 60_000)
    work(20 * 60_000)
    expect(time.take('a')).toBe(10 * 60_000)
    time.show('b')
    time.show('a')
    work(60_000)
    expect(time.take('a')).toBe(60_000)
  })

  test('sends at most 30 minutes at once, and the rest with the next answer', () => {
    const { time, work } = start()
    for (const _ of [1, 2]) {
      time.show('a')
      work(40 * 60_000)
      time.show(null)
    }
    time.giveBack('a', 5_000)
    expect([time.take('a'), time.take('a'), time.take('a')]).toEqual([maxActiveMs, maxActiveMs, 5_000])
  })

  test('equals the sum of the pauses that are active', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const { time, wait } = start()
        const model = new Model()
        for (const [pause, act] of steps) {
          wait(pause)
          model.pass(pause)
          perform(time, act)
          if (act === 'take') model.take(time)
          model.apply(act)
        }
        model.take(time)
        for (const id of ['a', 'b']) expect(Math.abs(model.taken(id) - model.active(id))).toBeLessThanOrEqual(1)
      }),
    )
  })
})

const acts = ['input', 'hide', 'see', 'a', 'b', 'none', 'take'] as const
type Act = (typeof acts)[number]
const step = fc.tuple(fc.double({ min: 0, max: 45_000, noNaN: true }), fc.constantFrom(...acts))

const perform = (time: ActiveTime, act: Act): void => {
  if (act === 'input') time.noteInput()
  else if (act === 'hide' || act === 'see') time.setInView(act === 'see')
  else if (act !== 'take') time.show(act === 'none' ? null : act)
}

/** Computes the expected active time of two records. */
class Model {
  #at = 0
  #lastInput = 0
  #inView = true
  #shown = 'none'
  readonly #active = new Map<string, number>()
  readonly #taken = new Map<string, number>()

  /** Lets time pass. This time counts as active only until 30 seconds after the last input. */
  pass(ms: number): void {
    const counted = Math.max(0, Math.min(this.#at + ms, this.#lastInput + 30_000) - this.#at)
    if (this.#inView) this.#active.set(this.#shown, this.active(this.#shown) + counted)
    this.#at += ms
  }

  apply(act: Act): void {
    if (act === 'input' || (act === 'see' && !this.#inView)) this.#lastInput = this.#at
    if (act === 'hide' || act === 'see') this.#inView = act === 'see'
    if (act === 'a' || act === 'b' || act === 'none') this.#shown = act
  }

  take(time: ActiveTime): void {
    for (const id of ['a', 'b']) this.#taken.set(id, this.taken(id) + time.take(id))
  }

  active(id: string): number {
    return this.#active.get(id) ?? 0
  }

  taken(id: string): number {
    return this.#taken.get(id) ?? 0
  }
}
