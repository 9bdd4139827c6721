import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { requirements } from './asvs-requirements.ts'

const root = join(import.meta.dirname, '..')
const text = readFileSync(join(root, 'docs', 'security-asvs.md'), 'utf8')

type Row = { readonly id: string; readonly requirementText: string; readonly evidence: string; readonly shown: string }
const rows: readonly Row[] = text
  .split('\n')
  .filter((line) => /^\| \d/.test(line))
  .map((line) => {
    const [, id = '', requirementText = '', evidence = '', shown = ''] = line.split(/(?<!\\)\|/).map((cell) => cell.trim())
    return { id, requirementText, evidence, shown }
  })

const BRACES = /\{([^}]*)\}/
/** Expands a name with braces. */
const expandBraces = (name: string): string[] => {
  const found = BRACES.exec(name)
  return found === null ? [name] : (found[1] ?? '').split(',').flatMap((part) => expandBraces(name.replace(BRACES, part)))
}
const filesOf = ({ shown }: Row): string[] => [...shown.matchAll(/`([^`]+)`/g)].flatMap(([, name = '']) => expandBraces(name))

/** The reasons that a row may give instead of a test. */
const WITHOUT_TEST = /^(not applicable because|not met:|in part:|operator:|by construction:|documented:)/

describe('the ASVS page', () => {
  it('lists 253 requirements, each once', () => {
    expect(requirements).toHaveLength(253)
    expect(rows.map(({ id }) => id)).toEqual(requirements)
  })

  it('describes each requirement and how it is met', () => {
    expect(rows.filter(({ requirementText, evidence }) => requirementText === '' || evidence === '').map(({ id }) => id)).toEqual(
      [],
    )
  })

  it('names a test for each requirement, or the reason for having none', () => {
    expect(rows.filter((row) => filesOf(row).length === 0 && !WITHOUT_TEST.test(row.evidence)).map(({ id }) => id)).toEqual([])
  })

  it('names only existing files', () => {
    const missing = rows.flatMap((row) => filesOf(row).map((file) => [row.id, file] as const))
    expect(missing.filter(([, file]) => !existsSync(join(root, file)))).toEqual([])
  })
})
