import { expect, test } from 'vitest'
import { parseIndex } from './debian-index.ts'
import { VECTOR_SIZE } from './hash.ts'
import { makeRecords } from './make-records.ts'
import { settingsOf } from './settings.ts'

const INDEX = `Package: caf\u00e9-tool
Section: utils
Installed-Size: 12
Description: Brews caf\u00e9 \u{1F600} with libbean2
Depends: libbean2 (>= 1.0), cup | mug
Homepage: https://example.org/
Tag: role::program, interface::commandline,
 use::brewing

Package: libbean2
Section: non-free/libs
Installed-Size: 7
Description: Beans
Suggests: caf\u00e9-tool

Package: mug
Section: utils
Description: Holds a drink

Package: mug
Section: games
Description: An older version of the same

Package: nothing
Section: utils
`

const packages = parseIndex(INDEX)
const settings = settingsOf(packages)
const records = (count: number) => [...makeRecords(packages, settings, count)]

test('reads the package index: continued lines, alternatives, areas and the first of two versions', () => {
  expect(packages.map((one) => [one.name, one.section])).toEqual([
    ['caf\u00e9-tool', 'utils'],
    ['libbean2', 'libs'],
    ['mug', 'utils'],
  ])
  expect(packages[0]).toMatchObject({
    installedSize: 12,
    tags: ['role::program', 'interface::commandline', 'use::brewing'],
    depends: ['libbean2', 'cup', 'mug'],
  })
})

test('creates the same records from the same index', () => {
  expect(records(50)).toEqual(records(50))
})

test('creates no two equal records, even with more records than packages', () => {
  const ids = records(20).map((record) => record.external_id)
  expect(new Set(ids).size).toBe(20)
  const texts = records(6).map((record) => record.fields.description)
  expect(new Set(texts).size).toBe(6)
})

test('counts spans in code points', () => {
  const record = records(3).find((one) => one.fields.name === 'caf\u00e9-tool')
  const characters = [...(record?.fields.description ?? '')]
  const found = record?.answer.mentions.map(({ label, start, end }) => [label, characters.slice(start, end).join('')])
  expect(found).toContainEqual(['library', 'libbean2'])
  expect(found).toContainEqual(['program', 'mug'])
})

test('creates vectors of the right size and length 1', () => {
  for (const { vectors } of records(9)) {
    expect(vectors.words).toHaveLength(VECTOR_SIZE)
    expect(Math.hypot(...vectors.words)).toBeCloseTo(1, 2)
  }
})

test('creates answers that fit the questions', () => {
  for (const { answer } of records(9)) {
    expect(answer.tags.length).toBeGreaterThan(0)
    expect(answer.candidates.map(({ rank }) => rank)).toEqual([1, 2, 3])
    expect(answer.usefulness).toBeGreaterThanOrEqual(1)
    expect(answer.usefulness).toBeLessThanOrEqual(5)
  }
})
