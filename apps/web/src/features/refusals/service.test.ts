import { renderReason } from '@postil/contract/wire/reasons.ts'
import { refusalCodes, renderRefusal } from '@postil/contract/wire/refusals.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import jobs from '#features/jobs/messages.de.json' with { type: 'json' }
import { addTexts, setCurrentLanguage, translate, type Values } from '#i18n/texts.ts'
import german from './messages.de.json' with { type: 'json' }
import { loadRefusals } from './service.ts'

let say: (sentence: string) => string | null
beforeAll(async () => {
  addTexts('de', 'features/refusals', german)
  addTexts('de', 'features/jobs', jobs)
  setCurrentLanguage('de')
  say = await loadRefusals()
})

describe('refusals are shown in the language of the page', () => {
  test('every refusal has its text', () => {
    expect(Object.keys(german.refusal).sort()).toEqual([...refusalCodes].sort())
    for (const code of refusalCodes) expect(say(renderRefusal(code)), code).not.toBeNull()
  })

  const refusal = (code: keyof typeof german.refusal, values: Values): string =>
    translate(`features/refusals:refusal.${code}`, values)
  const quoteOpen = (): string => translate('features/jobs:reason.quoteOpen', { cell: 3 })

  test.each<readonly [sentence: string, wanted: () => string]>([
    [renderRefusal('workspaceExists', { name: 'field' }), () => refusal('workspaceExists', { name: 'field' })],
    [
      renderRefusal('partOfPublished', { part: 'Field', action: 'deleted' }),
      () => refusal('partOfPublished', { part: german.word.Field, action: german.word.deleted }),
    ],
    [
      renderRefusal('noSheet', { sheet: JSON.stringify('A "B"') }),
      () => refusal('noSheet', { sheet: german.quoted.replace('{{name}}', 'A "B"') }),
    ],
    [renderRefusal('noSheet', { sheet: '"A" oder "B"' }), () => refusal('noSheet', { sheet: '"A" oder "B"' })],
    [
      renderRefusal('headingCell', { row: 2, reason: renderReason('quoteOpen', { cell: 3 }) }),
      () => refusal('headingCell', { row: 2, reason: quoteOpen() }),
    ],
    [
      renderRefusal('heading', { reason: 'words of somebody else' }),
      () => refusal('heading', { reason: 'words of somebody else' }),
    ],
  ])('%s', (sentence, wanted) => {
    expect(say(sentence)).toBe(wanted())
  })

  test('an unknown sentence is left unchanged', () => {
    expect(say('A rule of its own')).toBeNull()
  })
})
