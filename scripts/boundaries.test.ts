import { expect, test } from 'vitest'
import { problemsOf } from './boundaries.mjs'

const KINDS = ['rating', 'text', 'label_selection']
const problems = (files: { readonly [path: string]: string }): string[] =>
  problemsOf(Object.entries(files), KINDS).map(({ file, line, message }) => `${file}:${line} ${message}`)

test.each([
  ['contract', 'packages/contract/src/a.ts', "import { x } from '@postil/server/y.ts'", 'contract must not import server'],
  ['web and server', 'apps/web/src/lib/a.ts', "import type { x } from '@postil/server/y.ts'", 'web must not import server'],
  ['platform', 'apps/server/src/platform/a.ts', "import { x } from '#features/b/public.ts'", 'platform must not import features'],
  [
    'slices',
    'apps/server/src/question-types/a.ts',
    "import { x } from '#features/b/public.ts'",
    'question-types must not import features',
  ],
  ['features', 'apps/server/src/features/a/b.ts', "import { x } from '#app.ts'", 'features must not import app'],
  [
    'internals of another feature',
    'apps/server/src/features/a/b.ts',
    "import { x } from '#features/c/queries.ts'",
    'a feature may import another feature only through its public.ts',
  ],
  [
    'internals of another feature by a relative path',
    'apps/server/src/features/a/b.ts',
    "import { x } from '../c/queries.ts'",
    'a feature may import another feature only through its public.ts',
  ],
  [
    'the service of another feature',
    'apps/web/src/features/a/b.ts',
    "import { x } from '#features/c/service.ts'",
    'a feature may import another feature only through its public.ts',
  ],
  [
    'internals of a feature from the app of the server',
    'apps/server/src/cli/a.ts',
    "import { x } from '#features/b/service.ts'",
    'the app may import a feature only through its public.ts',
  ],
  ['dynamic imports', 'apps/web/src/lib/a.ts', "const x = await import('#features/b/Page.tsx')", 'base must not import features'],
  [
    'relative paths above two levels',
    'apps/web/src/lib/a/b/c/d.ts',
    "import { x } from '../../../e.ts'",
    'more than two levels up',
  ],
  ['exports', 'apps/web/src/ui/a.ts', "export { x } from '#app/b.ts'", 'base must not import app'],
])('%s', (_, file, text, message) => {
  expect(problems({ [file]: `// a line above\n${text}\n` })).toEqual([
    expect.stringMatching(new RegExp(`^${file}:2 .*${message}`)),
  ])
})

test.each([
  ["if (question.settings.type === 'text') {", 1],
  ["if (kind === 'rating') {", 1],
  ["case 'label_selection':", 1],
  ['switch (question.settings.type) {', 1],
  ["if (settings.postil_kind === 'text') {", 1],
  ["if (kind === 'text') {", 0],
  ["// kind === 'rating' is for its slice to know", 0],
])('a comparison with a kind: %s', (text, count) => {
  expect(problems({ 'apps/server/src/features/a/b.ts': text })).toHaveLength(count)
  expect(problems({ 'apps/server/src/question-types/rating.ts': text })).toHaveLength(0)
})

test('reports features that import each other in a cycle', () => {
  const files = {
    'apps/server/src/features/a/queries.ts': "import { b } from '#features/b/public.ts'",
    'apps/server/src/features/b/public.ts': "import { c } from '#features/c/public.ts'",
    'apps/server/src/features/c/public.ts': "import { a } from '#features/a/public.ts'",
  }
  expect(problems(files)).toEqual([expect.stringContaining('server/a → server/b → server/c')])
})

test('reports files that import each other in a cycle, even for types or lazy imports', () => {
  const files = {
    'apps/web/src/lib/a.ts': "const b = () => import('./b.ts')",
    'apps/web/src/lib/b.ts': "import type { C } from './inner/c.ts'",
    'apps/web/src/lib/inner/c.ts': "export { a } from '../a.ts'",
    'apps/web/src/lib/d.ts': "import { a } from './a.ts'",
  }
  const [a, b, c] = Object.keys(files)
  expect(problems(files)).toEqual([`${a} → ${b} → ${c}:0 files import each other in a cycle`])
})

test('reports a file that is too long', () => {
  expect(problems({ 'apps/server/src/app.ts': 'const x = 1\n'.repeat(401) })).toEqual([expect.stringContaining('401 lines')])
})

test('accepts allowed imports', () => {
  const files = {
    'apps/server/src/operations.ts': "import '#features/a/queries.ts'",
    'apps/server/src/routes.ts': "import { a } from '#features/a/routes.ts'",
    'apps/server/src/app.ts': "import { a } from '#features/a/public.ts'",
    'apps/web/src/app/routes.tsx': "import { a } from '#features/a/components/Page.tsx'",
    'apps/server/src/features/a/service.ts':
      "import type { AppContext } from '#context.ts'\nimport { b } from '#features/b/public.ts'\nimport { x } from '@postil/contract/x.ts'\nimport { y } from 'pg'",
    'apps/server/src/features/a/a.test.ts':
      "import { b } from '#features/b/queries.ts'\nimport { t } from '@postil/testkit/t.ts'",
    'packages/testkit/src/a.ts': "import { b } from '@postil/server/app.ts'",
  }
  expect(problems(files)).toEqual([])
})
