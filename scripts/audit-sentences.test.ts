import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { endpoints } from '@postil/contract/endpoints.ts'
import { expect, it, test } from 'vitest'
import { isAudited } from '../apps/server/src/features/audit/audited-actions.ts'
import { knownActions, sentenceKey } from '../apps/web/src/features/administration/audit-sentences.ts'

const folder = join(import.meta.dirname, '..', 'apps', 'web', 'src', 'features', 'administration')
type Sentences = { readonly [key: string]: string }
const sentences = (language: string): Sentences =>
  (JSON.parse(readFileSync(join(folder, `messages.${language}.json`), 'utf8')) as { audit: { sentence: Sentences } }).audit
    .sentence

it('has a sentence for every audited action', () => {
  const audited = endpoints.filter((endpoint) => endpoint.access === 'user' && isAudited(endpoint)).map(({ id }) => id)
  expect(audited.filter((id) => !(knownActions as readonly string[]).includes(id))).toEqual([])
})

test.each(['en', 'de', 'es'])('has every sentence in %s', (language) => {
  const found = sentences(language)
  const missing = knownActions.filter((action) => !found[sentenceKey(action)])
  expect(missing).toEqual([])
})
