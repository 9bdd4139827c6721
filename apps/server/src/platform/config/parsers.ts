import { homedir } from 'node:os'
import { isAbsolute, resolve } from 'node:path'

/**
 * The parsed value of an input, or the problem with it. The problem completes a sentence that starts with the setting's name.
 */
export type Parsed<T> = { readonly value: T } | { readonly problem: string }
export type Parser<T> = (raw: string) => Parsed<T>

const ok = <T>(value: T): Parsed<T> => ({ value })
const fail = (problem: string): Parsed<never> => ({ problem })

export const text =
  ({ min = 0, max = Number.POSITIVE_INFINITY } = {}): Parser<string> =>
  (raw) => {
    const length = [...raw].length
    if (length < min) return fail(`must have at least ${min} characters, but has ${length}`)
    return length > max ? fail(`must have at most ${max} characters, but has ${length}`) : ok(raw)
  }

export const pattern =
  (form: RegExp, what: string): Parser<string> =>
  (raw) =>
    form.test(raw) ? ok(raw) : fail(`must be ${what}`)

export const integer =
  (min: number, max: number): Parser<number> =>
  (raw) => {
    const value = /^[+-]?\d+$/.test(raw.trim()) ? Number(raw) : Number.NaN
    return value >= min && value <= max ? ok(value) : fail(`must be a whole number from ${min} to ${max}`)
  }

/** A fraction from 0 to 1. */
export const fraction: Parser<number> = (raw) => {
  const value = /^[01]?(\.\d+)?$/.test(raw.trim()) ? Number(raw) : Number.NaN
  return raw.trim() !== '' && value <= 1 ? ok(value) : fail('must be a number from 0 to 1')
}

/** A web address, with or without a path. */
export const webAddress: Parser<string> = (raw) => {
  const url = URL.canParse(raw.trim()) ? new URL(raw.trim()) : null
  return url && /^https?:$/.test(url.protocol) ? ok(url.href) : fail('must be a URL such as http://host:4318')
}

/** Seconds, possibly with a fraction, converted to milliseconds. */
export const seconds: Parser<number> = (raw) => {
  const value = /^\d+(\.\d+)?$/.test(raw.trim()) ? Number(raw) : Number.NaN
  return value <= 86_400 ? ok(Math.round(value * 1000)) : fail('must be a number of seconds')
}

/** Parses a number of minutes, such as `1.5`, up to one day. Returns milliseconds. */
export const minutes: Parser<number> = (raw) => {
  const value = /^\d+(\.\d+)?$/.test(raw.trim()) ? Number(raw) : Number.NaN
  return value > 0 && value <= 1440 ? ok(Math.ceil(value * 60_000)) : fail('must be a number of minutes, at most 1440')
}

const TRUE = new Set(['1', 'true', 't', 'yes', 'y', 'on'])
const FALSE = new Set(['0', 'false', 'f', 'no', 'n', 'off'])

export const bool: Parser<boolean> = (raw) => {
  const word = raw.trim().toLowerCase()
  if (TRUE.has(word)) return ok(true)
  return FALSE.has(word) ? ok(false) : fail('must be true or false')
}

export const oneOf =
  <const T extends string>(...choices: readonly T[]): Parser<T> =>
  (raw) => {
    const found = choices.find((choice) => choice === raw.trim())
    return found === undefined ? fail(`must be one of ${choices.join(', ')}`) : ok(found)
  }

const UNITS: { readonly [unit: string]: number } = {
  '': 1,
  b: 1,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  kib: 2 ** 10,
  mib: 2 ** 20,
  gib: 2 ** 30,
}

/**
 * Smallest accepted size. With a smaller size, the server would be unusable: `64` is probably meant as MB, and with 64 bytes
 * nobody could even sign in.
 */
const MIN_BYTES = 100_000

/**
 * Parses a number of bytes such as `64 MB`, `512kib` or `1000000`.
 * @param max in bytes
 * @param named the maximum as it appears in error messages
 */
const bytesUpTo =
  (max: number, named: string): Parser<number> =>
  (raw) => {
    const match = /^(\d+(?:\.\d+)?)\s*([a-z]*)$/i.exec(raw.trim())
    const unit = UNITS[match?.[2]?.toLowerCase() ?? '']
    const value = match && unit !== undefined ? Math.round(Number(match[1]) * unit) : 0
    return value >= MIN_BYTES && value <= max
      ? ok(value)
      : fail(`must be a size with a unit, such as 64 MB, from 100 kB to ${named}`)
  }
/** A size in memory, up to 1 GiB. */
export const bytes = bytesUpTo(2 ** 30, '1 GiB')
/** A size on disk, up to 1,024 GiB. */
export const fileBytes = bytesUpTo(2 ** 40, '1024 GiB')

/**
 * The home folder of the user who runs the server. Falls back to root's home folder if the system doesn't know the user's, for
 * example in a container that runs under a numeric user ID.
 */
export const home = ((): string => {
  try {
    return homedir()
  } catch {
    return ''
  }
})()

/** A folder. `~` stands for the home folder of the user who runs the server. */
export const folder =
  (home: string): Parser<string> =>
  (raw) => {
    const path = raw === '~' || raw.startsWith('~/') ? `${home}${raw.slice(1)}` : raw
    return ok(isAbsolute(path) ? path : resolve(path))
  }

/** A path prefix, with a slash at both ends. */
export const basePath: Parser<string> = (raw) => {
  const inner = raw.trim().replace(/^\/+|\/+$/g, '')
  if (inner === '') return ok('/')
  return /^[\w.~-]+(\/[\w.~-]+)*$/.test(inner) && !/(^|\/)\.{1,2}(\/|$)/.test(inner)
    ? ok(`/${inner}/`)
    : fail('must be a path such as /annotation/')
}

const httpUrl = (raw: string): URL | null => {
  try {
    const url = new URL(raw)
    return url.protocol === 'http:' || url.protocol === 'https:' ? url : null
  } catch {
    return null
  }
}

/** The public address without a path: `https://annotate.example.org`. */
export const origin: Parser<string> = (raw) => {
  const url = httpUrl(raw.trim())
  return url && url.pathname === '/' && !url.search && !url.hash && !url.username
    ? ok(url.origin)
    : fail('must be a URL without a path, such as https://annotate.example.org')
}

/** The address of a service, with or without a path: no trailing slash, query, fragment or credentials. */
export const serviceUrl: Parser<string> = (raw) => {
  const url = httpUrl(raw.trim())
  return url && !url.search && !url.hash && !url.username && !url.password
    ? ok(url.href.replace(/\/+$/, ''))
    : fail('must be a URL such as https://hub.example.org')
}

const listOf = (raw: string): readonly unknown[] | null => {
  if (!raw.trim().startsWith('[')) return raw.split(',').map((item) => item.trim())
  try {
    const value: unknown = JSON.parse(raw)
    return Array.isArray(value) ? value : null
  } catch {
    return null
  }
}

const hostForm = /^(\*|[\w-]+(\.[\w-]+)*)$/

/** A JSON list of host names without ports, or a comma-separated list. `*` stands for every name. */
export const hosts: Parser<readonly string[]> = (raw) => {
  const found = (listOf(raw) ?? [null]).map((item) => (typeof item === 'string' ? item.trim().toLowerCase() : ''))
  return found.every((name) => hostForm.test(name))
    ? ok(found)
    : fail('must be host names without ports, such as annotate.example.org, separated by commas')
}

/** A JSON list of origins, or a comma-separated list. `*` allows any origin. */
export const origins: Parser<readonly string[]> = (raw) => {
  const found: string[] = []
  for (const item of listOf(raw) ?? [null]) {
    const one = item === '*' ? ok('*') : origin(typeof item === 'string' ? item : '')
    if ('problem' in one) return fail('must be a JSON list of origins such as ["https://app.example.org"]')
    found.push(one.value)
  }
  return ok(found)
}
