import { randomInt } from 'node:crypto'
import { Floor } from '@postil/testkit/floor.ts'
import { expect } from 'vitest'
import type { Annotator } from './team.ts'

/** Who works through the records of a dataset, and what each has in hand: known for certain while nobody acts. */
export class Desk {
  readonly #ids: readonly string[]
  readonly #target: number
  readonly #floor = new Floor()
  readonly #holders = new Map<string, Set<Annotator>>()
  readonly #answered = new Map<string, Set<Annotator>>()
  /** How often somebody was given nothing, and all others stood still while it was looked why. */
  looks = 0
  /** How much was left each time that somebody was given nothing of it. */
  readonly waits: number[] = []

  /** @param target answers that complete a record */
  constructor(ids: readonly string[], target: number) {
    this.#ids = ids
    this.#target = target
    for (const id of ids) {
      this.#holders.set(id, new Set())
      this.#answered.set(id, new Set())
    }
  }

  /** Records that somebody could be handed now. */
  #openTo(one: Annotator): readonly string[] {
    return this.#ids.filter((id) => {
      const answered = this.#answered.get(id) ?? new Set()
      const others = [...(this.#holders.get(id) ?? [])].filter((holder) => holder !== one)
      return !answered.has(one) && answered.size + others.length < this.#target
    })
  }

  async #take(one: Annotator): Promise<{ readonly ids: readonly string[]; readonly left: number }> {
    const given = await one.next(randomInt(1, 6))
    for (const id of given.ids) this.#holders.get(id)?.add(one)
    return given
  }

  /** Takes when nobody else does anything: then nothing comes only where nothing is left. */
  async #takeAlone(one: Annotator): Promise<readonly string[]> {
    this.looks += 1
    const { ids, left } = await this.#take(one)
    if (ids.length === 0) expect({ left, open: this.#openTo(one) }).toEqual({ left: 0, open: [] })
    return ids
  }

  async #finish(one: Annotator, id: string): Promise<void> {
    const chance = randomInt(10)
    if (chance === 1) return
    await (chance === 0 ? one.giveBack(id) : one.answer(id))
    this.#holders.get(id)?.delete(one)
    if (chance > 1) this.#answered.get(id)?.add(one)
  }

  /** Works until nothing is left: answers most of what comes, and gives some back. */
  async work(one: Annotator): Promise<void> {
    for (;;) {
      const { ids, left } = await this.#floor.among(() => this.#take(one))
      if (ids.length === 0 && left > 0) this.waits.push(left)
      const given = ids.length > 0 ? ids : await this.#floor.alone(() => this.#takeAlone(one))
      if (given.length === 0) return
      for (const id of given) await this.#floor.among(() => this.#finish(one, id))
    }
  }
}
