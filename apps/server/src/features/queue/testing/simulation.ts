import { randomInt } from 'node:crypto'
import { ExclusiveGate } from '@postil/testkit/exclusive-gate.ts'
import { expect } from 'vitest'
import type { Annotator } from './team.ts'

/**
 * Simulates annotators who work through a dataset's records, and tracks which records are leased to each. The tracking is exact
 * only while no annotator is acting.
 */
export class Simulation {
  readonly #ids: readonly string[]
  readonly #target: number
  readonly #floor = new ExclusiveGate()
  readonly #holders = new Map<string, Set<Annotator>>()
  readonly #answered = new Map<string, Set<Annotator>>()
  /**
   * How often an annotator who received no records tried again while all other annotators were paused. This shows whether any
   * records were left.
   */
  exclusiveChecks = 0
  /** One entry for each time an annotator received no record although some were left: the number of records left. */
  readonly emptyTakes: number[] = []

  /** @param target number of answers that complete a record */
  constructor(ids: readonly string[], target: number) {
    this.#ids = ids
    this.#target = target
    for (const id of ids) {
      this.#holders.set(id, new Set())
      this.#answered.set(id, new Set())
    }
  }

  /** Records that could be assigned to the annotator now. */
  #openTo(annotator: Annotator): readonly string[] {
    return this.#ids.filter((id) => {
      const answered = this.#answered.get(id) ?? new Set()
      const others = [...(this.#holders.get(id) ?? [])].filter((holder) => holder !== annotator)
      return !answered.has(annotator) && answered.size + others.length < this.#target
    })
  }

  async #take(annotator: Annotator): Promise<{ readonly ids: readonly string[]; readonly left: number }> {
    const taken = await annotator.next(randomInt(1, 6))
    for (const id of taken.ids) this.#holders.get(id)?.add(annotator)
    return taken
  }

  /** Takes records while no other annotator acts. Checks that an empty result means that nothing is left. */
  async #takeAlone(annotator: Annotator): Promise<readonly string[]> {
    this.exclusiveChecks += 1
    const { ids, left } = await this.#take(annotator)
    if (ids.length === 0) expect({ left, open: this.#openTo(annotator) }).toEqual({ left: 0, open: [] })
    return ids
  }

  async #finish(annotator: Annotator, id: string): Promise<void> {
    const chance = randomInt(10)
    if (chance === 1) return
    await (chance === 0 ? annotator.release(id) : annotator.answer(id))
    this.#holders.get(id)?.delete(annotator)
    if (chance > 1) this.#answered.get(id)?.add(annotator)
  }

  /** Works until nothing is left, answering most of the records and releasing the rest. */
  async work(annotator: Annotator): Promise<void> {
    for (;;) {
      const { ids, left } = await this.#floor.runShared(() => this.#take(annotator))
      if (ids.length === 0 && left > 0) this.emptyTakes.push(left)
      const taken = ids.length > 0 ? ids : await this.#floor.runExclusive(() => this.#takeAlone(annotator))
      if (taken.length === 0) return
      for (const id of taken) await this.#floor.runShared(() => this.#finish(annotator, id))
    }
  }
}
