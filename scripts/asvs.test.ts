import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { requirements } from './asvs-requirements.ts'

const root = join(import.meta.dirname, '..')
const text = readFileSync(join(root, 'docs', 'security-asvs.md'), 'utf8')

type Row = { readonly id: string; readonly asks: string; readonly holds: string; readonly shown: string }
const rows: readonly Row[] = text
  .split('\n')
  .filter((line) => /^\| \d/.test(line))
  .map((line) => {
    const [, id = '', asks = '', holds = '', shown = ''] = line.split(/(?<!\\)\|/).map((cell) => cell.trim())
    return { id, asks, holds, shown }
  })

const BRACES = /\{([^}]*)\}/
/** The names that one with braces stands for. */
const unfolded = (name: string): string[] => {
  const found = BRACES.exec(name)
  return found === null ? [name] : (found[1] ?? '').split(',').flatMap((part) => unfolded(name.replace(BRACES, part)))
}
const filesOf = ({ shown }: Row): string[] => [...shown.matchAll(/`([^`]+)`/g)].flatMap(([, name = '']) => unfolded(name))

/** What a row may say in place of a test. */
const WITHOUT_TEST = /^(not applicable because|not met:|in part:|the operator's:|by construction:|written down:)/

describe('the page that goes through ASVS', () => {
  it('has 253 requirements to go through, each once', () => {
    expect(requirements).toHaveLength(253)
    expect(rows.map(({ id }) => id)).toEqual(requirements)
  })

  it('says of each what it asks and how it holds here', () => {
    expect(rows.filter(({ asks, holds }) => asks === '' || holds === '').map(({ id }) => id)).toEqual([])
  })

  it('names for each a test, or says why there is none', () => {
    expect(rows.filter((row) => filesOf(row).length === 0 && !WITHOUT_TEST.test(row.holds)).map(({ id }) => id)).toEqual([])
  })

  it('names only files that are there', () => {
    const missing = rows.flatMap((row) => filesOf(row).map((file) => [row.id, file] as const))
    expect(missing.filter(([, file]) => !existsSync(join(root, file)))).toEqual([])
  })
})
