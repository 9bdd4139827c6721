import { sayReason } from '@postil/contract/wire/reasons.ts'
import { refusalCodes, sayRefusal } from '@postil/contract/wire/refusals.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import jobs from '#features/jobs/messages.de.json' with { type: 'json' }
import { addTexts, showLanguage } from '#i18n/texts.ts'
import german from './messages.de.json' with { type: 'json' }
import { loadRefusals } from './service.ts'

let say: (sentence: string) => string | null
beforeAll(async () => {
  addTexts('de', 'features/refusals', german)
  addTexts('de', 'features/jobs', jobs)
  showLanguage('de')
  say = await loadRefusals()
})

describe('what the server refuses is said in the language of the page', () => {
  test('every sentence has its text', () => {
    expect(Object.keys(german.refusal).sort()).toEqual([...refusalCodes].sort())
    for (const code of refusalCodes) expect(say(sayRefusal(code)), code).not.toBeNull()
  })

  test.each([
    [sayRefusal('workspaceExists', { name: 'field' }), 'Einen Arbeitsbereich namens „field“ gibt es schon'],
    [
      sayRefusal('partOfPublished', { part: 'Field', action: 'deleted' }),
      'Feld kann in einem veröffentlichten Datensatz nicht gelöscht werden',
    ],
    [sayRefusal('noSheet', { sheet: JSON.stringify('A "B"') }), 'Die Datei hat kein Blatt „A "B"“'],
    [sayRefusal('noSheet', { sheet: '"A" oder "B"' }), 'Die Datei hat kein Blatt "A" oder "B"'],
    [
      sayRefusal('headingCell', { row: 2, reason: sayReason('quoteOpen', { cell: 3 }) }),
      'Die Kopfzeile in Zeile 2 kann nicht gelesen werden: Das Anführungszeichen in Zelle 3 wird nicht geschlossen',
    ],
    [
      sayRefusal('heading', { reason: 'words of somebody else' }),
      'Die Kopfzeile der Datei kann nicht gelesen werden: words of somebody else',
    ],
  ])('%s', (sentence, german) => {
    expect(say(sentence)).toBe(german)
  })

  test('another sentence stays as it is', () => {
    expect(say('A rule of its own')).toBeNull()
  })
})
