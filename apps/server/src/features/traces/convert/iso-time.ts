import type { JsonValue } from '@postil/contract/wire/json.ts'

const ISO = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?\s*(Z|UTC|[+-]\d\d:?\d\d)?$/

/** Converts an ISO 8601 time to nanoseconds since the epoch. A time without an offset is in UTC. Undefined for anything else. */
export const isoNanoseconds = (value: JsonValue | undefined): bigint | undefined => {
  const [, day, time, fraction = '', zone = 'Z'] = (typeof value === 'string' && ISO.exec(value.trim())) || []
  if (day === undefined || time === undefined) return undefined
  const offset = zone === 'UTC' ? 'Z' : zone.replace(/^([+-]\d\d)(\d\d)$/, '$1:$2')
  const milliseconds = Date.parse(`${day}T${time}${offset}`)
  return Number.isNaN(milliseconds) ? undefined : BigInt(milliseconds) * 1_000_000n + BigInt(fraction.padEnd(9, '0'))
}
