import { withoutAccents } from '#lib/text/without-accents.ts'

/**
 * Returns the index of the item to which a menu key moves the focus, or null if the key doesn't move the focus. `current` is the
 * index of the focused item, or -1 if there is none. `count` is the number of items.
 */
export const menuTarget = (key: string, current: number, count: number): number | null => {
  if (count === 0) return null
  if (key === 'ArrowDown') return (current + 1) % count
  if (key === 'ArrowUp') return current <= 0 ? count - 1 : current - 1
  if (key === 'Home' || key === 'PageUp') return 0
  if (key === 'End' || key === 'PageDown') return count - 1
  return null
}

const normalize = (text: string): string => withoutAccents(text).trim()

/**
 * Returns the index of the item that the typed letters select: the next item whose label starts with the letters, or null if
 * there is none. Repeating a letter moves to the next match.
 */
export const typedTarget = (typed: string, current: number, labels: readonly string[]): number | null => {
  const needleLabel = normalize(typed)
  if (needleLabel === '') return null
  const isRepeated = [...needleLabel].every((letter) => letter === needleLabel[0])
  const needle = isRepeated ? (needleLabel[0] ?? '') : needleLabel
  const from = isRepeated ? current + 1 : Math.max(0, current)
  for (let step = 0; step < labels.length; step += 1) {
    const index = (from + step) % labels.length
    if (normalize(labels[index] ?? '').startsWith(needle)) return index
  }
  return null
}
