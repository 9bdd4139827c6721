import { digitTimeout } from '#lib/constants.ts'

export type Digits = {
  /** Handles a digit key. Returns whether the key was handled. `numbers` are the numbers that can be entered now. */
  readonly press: (key: string, numbers: readonly number[]) => boolean
  /** Ends the wait at once and uses the number typed so far. */
  readonly flush: () => void
  readonly cancel: () => void
}

/**
 * Combines digit keys into numbers. A number takes effect at once if it isn't the beginning of a longer number. Otherwise, it
 * takes effect after a short wait or when any other key is pressed. If no number starts with the digits typed so far, the last
 * digit starts a new number, and the earlier digits are dropped.
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
    const isPrefixOfNumber = candidates.some((candidate) => candidate.startsWith(typed + key))
    typed = isPrefixOfNumber ? typed + key : key
    const possible = candidates.filter((candidate) => candidate.startsWith(typed))
    if (possible.length === 0) typed = ''
    else if (possible.length === 1 && possible[0] === typed) flush()
    else timer = setTimeout(flush, digitTimeout)
    return possible.length > 0
  }

  return { press, flush, cancel }
}
