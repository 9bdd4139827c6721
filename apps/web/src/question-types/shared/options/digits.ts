import { digitWait } from '#lib/constants.ts'

export type Digits = {
  /** Takes a digit key; false for any other key. `numbers` are those that can be meant now. */
  readonly press: (key: string, numbers: readonly number[]) => boolean
  /** Ends the waiting at once with what was typed. */
  readonly flush: () => void
  readonly cancel: () => void
}

/**
 * Makes numbers of digit keys. A number counts at once when no other can begin with it, and otherwise after a short wait,
 * or when any other key follows. Digits that lead to no number are dropped, and the last one begins anew.
 */
export const createDigits = (onNumber: (number: number) => void): Digits => {
  let typed = ''
  let timer: ReturnType<typeof setTimeout> | undefined
  let candidates: readonly string[] = []

  const cancel = (): void => {
    clearTimeout(timer)
    typed = ''
  }

  const flush = (): void => {
    const number = typed
    cancel()
    if (candidates.includes(number)) onNumber(Number(number))
  }

  const press = (key: string, numbers: readonly number[]): boolean => {
    if (!/^\d$/.test(key)) {
      flush()
      return false
    }
    candidates = numbers.map(String)
    clearTimeout(timer)
    const begun = candidates.some((candidate) => candidate.startsWith(typed + key))
    typed = begun ? typed + key : key
    const possible = candidates.filter((candidate) => candidate.startsWith(typed))
    if (possible.length === 0) typed = ''
    else if (possible.length === 1 && possible[0] === typed) flush()
    else timer = setTimeout(flush, digitWait)
    return possible.length > 0
  }

  return { press, flush, cancel }
}
