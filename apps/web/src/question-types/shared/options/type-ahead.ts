import { withoutAccents } from '#lib/text/without-accents.ts'

/** Letters typed within this time belong together, in milliseconds. */
export const typeAheadPause = 900

export type TypeAhead = {
  /**
   * Handles a printable key. Returns the index of the entry that matches the letters so far, or null. Pass -1 for no current
   * entry.
   */
  readonly press: (key: string, names: readonly string[], current: number) => number | null
  readonly isTyping: () => boolean
}

/** Finds entries by the first letters of their names, ignoring case and accents. Repeating a letter moves to the next match. */
export const createTypeAhead = (now: () => number = Date.now): TypeAhead => {
  let typed = ''
  let last = Number.NEGATIVE_INFINITY
  const isTyping = (): boolean => typed !== '' && now() - last < typeAheadPause
  const search = (names: readonly string[], letters: string, from: number): number | null => {
    for (let i = 0; i < names.length; i += 1) {
      const at = (from + i) % names.length
      if (withoutAccents(names[at]!).startsWith(withoutAccents(letters))) return at
    }
    return null
  }
  return {
    isTyping,
    press: (key, names, current) => {
      const repeated = isTyping() && [...typed].every((letter) => letter === key)
      typed = isTyping() ? typed + key : key
      last = now()
      const found = search(names, typed, typed.length > 1 ? Math.max(current, 0) : current + 1)
      return found ?? (repeated ? search(names, key, current + 1) : null)
    },
  }
}

/** Whether a key types a character that is not a digit. */
export const isLetter = ({ key, ctrl, alt }: { readonly key: string; readonly ctrl: boolean; readonly alt: boolean }): boolean =>
  !ctrl && !alt && /^[\p{L}\p{M}\p{S}\p{P}]$/u.test(key) && key !== '?'
