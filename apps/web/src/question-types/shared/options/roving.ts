/**
 * Returns the index to which an arrow key, Home or End moves from `current`, or null for other keys. There are `length` items in
 * one or more rows.
 */
export const rovingTarget = (key: string, current: number, length: number, rtl = false): number | null => {
  if (length === 0) return null
  const forward = rtl ? 'ArrowLeft' : 'ArrowRight'
  const backward = rtl ? 'ArrowRight' : 'ArrowLeft'
  if (key === forward || key === 'ArrowDown') return (current + 1) % length
  if (key === backward || key === 'ArrowUp') return (current - 1 + length) % length
  if (key === 'Home') return 0
  return key === 'End' ? length - 1 : null
}
