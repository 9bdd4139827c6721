import { expect, test } from 'vitest'
import { unusedExports } from './unused-exports.mjs'

test('finds exported names that no other file mentions', () => {
  const files: [string, string][] = [
    [
      'apps/a.ts',
      'export const used = 1\nexport type Own = number\nexport async function own(): Promise<Own> {}\nconst inner = 2\n',
    ],
    ['apps/b.ts', "import { used } from './a.ts'\nexport const other = used\n"],
    ['packages/c.ts', 'export const elsewhere = 1\n'],
  ]
  expect(unusedExports(files, (file) => file.startsWith('apps/'))).toEqual([
    { file: 'apps/a.ts', line: 2, name: 'Own' },
    { file: 'apps/a.ts', line: 3, name: 'own' },
    { file: 'apps/b.ts', line: 2, name: 'other' },
  ])
})
