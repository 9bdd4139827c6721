import { closestFirst } from '#lib/text/match-name.ts'
import { withoutAccents } from '#lib/text/without-accents.ts'

/** Maximum time between two letters of the same name, in milliseconds. */
export const typeAheadPause = 900

type TypeAhead = {
  /**
   * Handles a printable key. Returns the index of the entry that matches the letters typed so far, or null. `current` is -1 if
   * there is no current entry.
   */
  readonly press: (key: string, names: readonly string[], current: number) => number | null
  readonly isTyping: () => boolean
}

/**
 * Finds entries by the first letters of their names, ignoring case and accents. Prefers names that match the letters exactly.
 * Repeating a letter moves to the next match.
 */
export const createTypeAhead = (now: () => number = Date.now): TypeAhead => {
  let typed = ''
  let last = Number.NEGATIVE_INFINITY
  const isTyping = (): boolean => typed !== '' && now() - last < typeAheadPause
  const startsWith = (name: string, letters: string): boolean => withoutAccents(name).startsWith(withoutAccents(letters))
  const indexesFrom = (names: readonly string[], from: number): readonly number[] =>
    names.map((_, i) => (from + i) % names.length)
  /**
   * Searches the entries from an index onward, wrapping around. Returns the first entry whose name begins with the letters, or
   * null.
   */
  const nextOf = (names: readonly string[], letters: string, from: number): number | null =>
    indexesFrom(names, from).find((at) => startsWith(names[at]!, letters)) ?? null
  /** Like `nextOf`, but prefers a name that equals the letters, then names that begin with the letters exactly as typed. */
  const closestOf = (names: readonly string[], letters: string, from: number): number | null => {
    const candidates = indexesFrom(names, from).filter((at) => startsWith(names[at]!, letters))
    return closestFirst(candidates, (at) => names[at]!, letters)[0] ?? null
  }
  /**
   * A single letter moves to the next entry that begins with it. If the whole name of an entry other than the current one is that
   * letter, moves there instead.
   */
  const find = (names: readonly string[], current: number): number | null => {
    if (typed.length > 1) return closestOf(names, typed, Math.max(current, 0))
    const exact = names.indexOf(typed)
    return exact !== -1 && exact !== current ? exact : nextOf(names, typed, current + 1)
  }
  return {
    isTyping,
    press: (key, names, current) => {
      const repeated = isTyping() && [...typed].every((letter) => letter === key)
      typed = isTyping() ? typed + key : key
      last = now()
      return find(names, current) ?? (repeated ? nextOf(names, key, current + 1) : null)
    },
  }
}

/** Whether a key types a character that is not a digit. */
export const isLetter = ({ key, ctrl, alt }: { readonly key: string; readonly ctrl: boolean; readonly alt: boolean }): boolean =>
  !ctrl && !alt && /^[\p{L}\p{M}\p{S}\p{P}]$/u.test(key) && key !== '?'
