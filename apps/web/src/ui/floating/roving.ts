import { plainOf } from '#lib/text/plain.ts'

/** Which of `count` items a key of a menu goes to from `current` (-1: none); null when the key is not about moving. */
export const menuTarget = (key: string, current: number, count: number): number | null => {
  if (count === 0) return null
  if (key === 'ArrowDown') return (current + 1) % count
  if (key === 'ArrowUp') return current <= 0 ? count - 1 : current - 1
  if (key === 'Home' || key === 'PageUp') return 0
  if (key === 'End' || key === 'PageDown') return count - 1
  return null
}

const fold = (text: string): string => plainOf(text).trim()

/**
 * Which item the typed letters mean: the next that begins with them; the same letter again goes on to the next one.
 * null when none does.
 */
export const typedTarget = (typed: string, current: number, labels: readonly string[]): number | null => {
  const wanted = fold(typed)
  if (wanted === '') return null
  const isRepeated = [...wanted].every((letter) => letter === wanted[0])
  const needle = isRepeated ? (wanted[0] ?? '') : wanted
  const from = isRepeated ? current + 1 : Math.max(0, current)
  for (let step = 0; step < labels.length; step += 1) {
    const index = (from + step) % labels.length
    if (fold(labels[index] ?? '').startsWith(needle)) return index
  }
  return null
}
