import { isIP } from 'node:net'

/** The groups written in a part of an IPv6 address. Omitted zeros are not restored. */
const groupsOf = (part: string): string[] => (part === '' ? [] : part.split(':'))

/**
 * Returns the network of an address. All addresses of a network count as one address, because an IPv6 subscriber or rented
 * machine has 2⁶⁴ addresses. An IPv4 address is its own network. An IPv4-mapped address counts as the IPv4 address.
 */
export const networkOf = (address: string): string => {
  const [bare = ''] = address.split('%')
  if (isIP(bare) !== 6) return address
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(bare)?.[1]
  if (mapped !== undefined) return mapped
  // The URL form is lowercase and has no IPv4 part.
  const [before = '', after] = new URL(`http://[${bare}]`).hostname.slice(1, -1).split('::')
  const [first, last] = [groupsOf(before), groupsOf(after ?? '')]
  const zeros = Array.from({ length: 8 - first.length - last.length }, () => '0')
  return `${[...first, ...zeros, ...last].slice(0, 4).join(':')}::/64`
}
