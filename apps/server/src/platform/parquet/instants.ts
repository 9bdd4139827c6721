/** A timestamp with all its sub-millisecond digits, or a Date if it has none. @param perMilli units per millisecond */
const instantOf = (units: bigint, perMilli: bigint): Date | string => {
  const behind = ((units % perMilli) + perMilli) % perMilli
  const date = new Date(Number((units - behind) / perMilli))
  if (behind === 0n || Number.isNaN(date.getTime())) return date
  const digits = String(behind).padStart(String(perMilli).length - 1, '0')
  return `${date.toISOString().slice(0, -1)}${digits.replace(/(?<=^\d{3})000$/, '')}Z`
}

/**
 * Parsers that create timestamps. The library's own parsers reduce timestamps to whole milliseconds and turn 23:59:59.9999 in
 * 1969 into the year 1970.
 */
export const instants = {
  timestampFromMicroseconds: (micros: bigint) => instantOf(micros, 1000n),
  timestampFromNanoseconds: (nanos: bigint) => instantOf(nanos, 1_000_000n),
}
