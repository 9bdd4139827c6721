import { isIP } from 'node:net'

/** Groups of an address of version 6, without what stands for zeros. */
const groupsOf = (part: string): string[] => (part === '' ? [] : part.split(':'))

/**
 * What counts as one place that somebody tries from. In version 6 a line, or a machine that is rented, has 2⁶⁴ addresses: they count together. One that holds
 * an address of version 4 is that one.
 */
export const networkOf = (address: string): string => {
  const [bare = ''] = address.split('%')
  if (isIP(bare) !== 6) return address
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(bare)?.[1]
  if (mapped !== undefined) return mapped
  // As URLs write it: in small letters, without a part in version 4.
  const [before = '', after] = new URL(`http://[${bare}]`).hostname.slice(1, -1).split('::')
  const [first, last] = [groupsOf(before), groupsOf(after ?? '')]
  const zeros = Array.from({ length: 8 - first.length - last.length }, () => '0')
  return `${[...first, ...zeros, ...last].slice(0, 4).join(':')}::/64`
}
