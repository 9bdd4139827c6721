import type { CodedMessage } from '@postil/client/coded-message.ts'
import { message } from '@postil/contract/wire/message.ts'
import { reasonSentences } from '@postil/contract/wire/reasons.ts'
import { refusalSentences } from '@postil/contract/wire/refusals.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import jobs from '#features/jobs/messages.de.json' with { type: 'json' }
import { addTexts, setCurrentLanguage, translate, type Values } from '#i18n/texts.ts'
import german from './messages.de.json' with { type: 'json' }
import { loadRefusals } from './public.ts'

let say: (coded: CodedMessage) => string | null
beforeAll(async () => {
  addTexts('de', 'features/refusals', german)
  addTexts('de', 'features/jobs', jobs)
  setCurrentLanguage('de')
  say = await loadRefusals()
})

describe('refusals are shown in the language of the page', () => {
  test('every code has its text', () => {
    expect(Object.keys(german.refusal).sort()).toEqual(Object.keys(refusalSentences).sort())
    expect(Object.keys(jobs.reason).sort()).toEqual(Object.keys(reasonSentences).sort())
    for (const code of Object.keys({ ...refusalSentences, ...reasonSentences })) {
      expect(say({ code, params: {} }), code).not.toBeNull()
    }
  })

  const refusal = (code: keyof typeof german.refusal, values: Values): string =>
    translate(`features/refusals:refusal.${code}`, values)
  const quoteOpen = (): string => translate('features/jobs:reason.quoteOpen', { cell: 3 })

  test.each<readonly [coded: CodedMessage, wanted: () => string]>([
    [message('workspaceExists', { name: 'field' }), () => refusal('workspaceExists', { name: 'field' })],
    [
      message('partOfPublished', { part: 'Field', action: 'deleted' }),
      () => refusal('partOfPublished', { part: german.word.Field, action: german.word.deleted }),
    ],
    [
      message('noSheet', { sheet: JSON.stringify('A "B"') }),
      () => refusal('noSheet', { sheet: german.quoted.replace('{{name}}', 'A "B"') }),
    ],
    [message('noSheet', { sheet: '"A" oder "B"' }), () => refusal('noSheet', { sheet: '"A" oder "B"' })],
    [
      message('headingCell', { row: 2 }, message('quoteOpen', { cell: 3 })),
      () => refusal('headingCell', { row: 2, reason: quoteOpen() }),
    ],
    [message('heading', {}, 'another program’s message'), () => refusal('heading', { reason: 'another program’s message' })],
  ])('%j', (coded, wanted) => {
    expect(say(coded)).toBe(wanted())
  })

  test('has a reason without a refusal', () => {
    expect(say(message('hostNoAnswer', { host: 'hub.example' }))).toBe(
      translate('features/jobs:reason.hostNoAnswer', { host: 'hub.example' }),
    )
  })

  test('an unknown code, an unknown reason and a code without parameters have no translation', () => {
    expect(say({ code: 'newRule', params: {} })).toBeNull()
    expect(say({ code: 'heading', params: {}, reason: { code: 'newReason', params: {} } })).toBeNull()
    expect(say({ code: 'workspaceExists' })).toBeNull()
  })
})
