import { cpuTimeOf } from '@postil/testkit/cpu-time.ts'
import { isSafePattern } from 'redos-detector'
import { describe, expect, it, test } from 'vitest'
import { withoutEnd } from '../apps/server/src/platform/text/without-end.ts'
import { dateKindOf } from '../apps/server/src/platform/xlsx/dates.ts'
import { type Found, regularExpressions } from './regular-expressions.ts'

const { literals, made } = regularExpressions()

/**
 * Expressions that the detector reports although they are harmless. Each value says why: the expression takes linear time, or it
 * never processes a long text from an untrusted source.
 */
const analysis: { readonly [pattern: string]: string } = {
  '\\.([a-z0-9]+)$': 'each try ends at the next dot; the name of a file',
  '"[^"]*"': 'only the last quote can be without its other',
  '"[^"]*"|\\\\.|_.|\\*.': 'a format is cut to 255 characters',
  '\\[(h+|m+|s+)\\]': 'a format is cut to 255 characters',
  '\\[[^\\]]*\\]': 'a format is cut to 255 characters',
  '\\/+$': 'addresses of the configuration and of the command line',
  '^\\/+|\\/+$': 'addresses of the configuration',
  'api\\/v1\\/.*$': 'an address that the operator gave',
  '^bearer\\s+(.*)$': 'a header has no line ends, so the rest always fits',
  '\\{(\\w+)\\}': 'SQL of our own',
  '<Code>([\\w.]{1,100})<\\/Code>': 'bounded; an answer of the bucket',
  '<NextContinuationToken>([^<]*)<\\/NextContinuationToken>': 'an answer of the bucket',
  '<LastModified>([^<]*)<\\/LastModified>': 'an answer of the bucket',
  '\\[([^\\][]*)\\]\\(([^()\\s]*)\\)': 'the documentation of our own',
  '<base href="[^"]*"\\s*\\/?>': 'the page of our own',
  '<script>([\\s\\S]*?)<\\/script>': 'the page of our own',
  '^.*\\S.*$': 'a query of a view, which is short',
  '[?&]page=\\d+~': 'the address of the page',
  '\\.[a-z0-9]+$': 'each try ends at the next dot; the name of a file',
  '^[.-]+|[.-]+$': 'what the user types as the name of a dataset, after runs of both have become one',
  '\\/[^/]*$': 'the address of the page',
  '^((?:(?:Ctrl|Alt|Shift)\\+)*)(.+)$': 'keys of our own',
  '~\\d*$': 'the query of the user',
  '[\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}]\\p{M}*$': 'a word of the query of the user',
  "^(.+) doesn't match (.+) - (\\d+):": 'what the author of a template typed in one tag of it',
  'unknown helper (.+) - (\\d+):': 'what the author of a template typed in one tag of it',
  'url\\("?([^")]+)"?\\)': 'the style sheets of our own',
  '<(\\/?)([a-z][a-z0-9-]*)(?:\\s[^<>]*)?>': 'each try ends at the next bracket',
  '^[[\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}\\p{Script=Tai_Le}\\p{Script=New_Tai_Lue}\\p{Script=Tai_Tham}\\p{Script=Tai_Viet}\\p{Script=Ahom}]&&\\p{L}]$':
    'one character',
}
/** Files that build regular expressions from fixed or escaped text, never from user input. */
const makers = [
  'apps/server/src/features/jobs/sweep-files.ts',
  'apps/server/src/platform/files/bucket-store.ts',
  'apps/server/src/platform/http/api-docs/example-of.ts',
  'apps/server/src/platform/http/fallback.ts',
  'apps/server/src/platform/identity/handshake.ts',
  'apps/web/src/boot/preload-files.ts',
  'apps/web/src/field-types/shared/frame-fonts.ts',
  'apps/web/src/lib/text/search-marks.ts',
  'packages/contract/src/annotation-query/conditions.ts',
  'packages/contract/src/files/stored-file-addresses.ts',
  'packages/contract/src/saved-views.ts',
]

const isLinear = ({ pattern, flags }: Found): boolean => {
  try {
    return isSafePattern(pattern, {
      unicode: /[uv]/.test(flags),
      caseInsensitive: flags.includes('i'),
      dotAll: flags.includes('s'),
      multiLine: flags.includes('m'),
      maxScore: 300,
      timeout: 10_000,
    }).safe
  } catch {
    return false
  }
}

describe('regular expressions of the server and the web app', () => {
  it('are found', () => {
    expect(literals.length).toBeGreaterThan(100)
  })

  it('take linear time, or are reviewed individually', () => {
    const faults = literals.filter((one) => !(one.pattern in analysis) && !isLinear(one))
    expect(faults).toEqual([])
  }, 120_000)

  it('are built only from fixed text', () => {
    expect([...new Set(made)]).toEqual(makers)
  })

  it('that were reviewed still exist', () => {
    const patterns = new Set(literals.map(({ pattern }) => pattern))
    expect(Object.keys(analysis).filter((pattern) => !patterns.has(pattern))).toEqual([])
  })
})

test('a million characters of adversarial input are handled quickly', () => {
  const used = cpuTimeOf(() => {
    expect(withoutEnd(`${'/'.repeat(1_000_000)}x`, '/')).toHaveLength(1_000_001)
    expect(withoutEnd(`x${'/'.repeat(1_000_000)}`, '/')).toBe('x')
    expect(dateKindOf(200, '['.repeat(1_000_000))).toBeNull()
    expect(
      literals
        .filter(({ file }) => file.endsWith('imports/cast.ts'))
        .map(({ pattern, flags }) => new RegExp(pattern, flags).test(`${'1'.repeat(1_000_000)}x`)),
    ).not.toContain(true)
  })
  expect(used).toBeLessThan(20_000)
})
