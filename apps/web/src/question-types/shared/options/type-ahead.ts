import { plainOf } from '#lib/text/plain.ts'

/** Letters that follow within this time belong together, in milliseconds. */
export const typeAheadPause = 900

export type TypeAhead = {
  /** Takes a printable key; gives the index of the entry that the letters so far lead to, or null. No current entry is -1. */
  readonly press: (key: string, names: readonly string[], current: number) => number | null
  readonly isTyping: () => boolean
}

/** Finds entries by the first letters of their names, case and accents aside. The same letter again goes to the next one. */
export const createTypeAhead = (now: () => number = Date.now): TypeAhead => {
  let typed = ''
  let last = Number.NEGATIVE_INFINITY
  const isTyping = (): boolean => typed !== '' && now() - last < typeAheadPause
  const search = (names: readonly string[], letters: string, from: number): number | null => {
    for (let i = 0; i < names.length; i += 1) {
      const at = (from + i) % names.length
      if (plainOf(names[at]!).startsWith(plainOf(letters))) return at
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

/** True for keys that put a character on the screen and are no digit. */
export const isLetter = ({ key, ctrl, alt }: { readonly key: string; readonly ctrl: boolean; readonly alt: boolean }): boolean =>
  !ctrl && !alt && /^[\p{L}\p{M}\p{S}\p{P}]$/u.test(key) && key !== '?'
