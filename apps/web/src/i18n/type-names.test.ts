import { fieldKinds } from '@postil/contract/field-types/index.ts'
import { questionKinds } from '@postil/contract/question-types/index.ts'
import { expect, test } from 'vitest'
import { loadMessages } from './messages.ts'
import { typeNames } from './type-names.ts'

test.each(['en', 'de', 'es'])('every type has a name in %s', async (language) => {
  const { question = {}, field = {} } = await loadMessages('type-names', language)
  expect(Object.keys(question).toSorted()).toEqual(questionKinds.toSorted())
  expect(Object.keys(field).toSorted()).toEqual(fieldKinds.toSorted())
})

test('a language in one file has its own names, and the English ones for missing types', () => {
  const names = typeNames('fr', { 'question-types/rating': { name: 'Note' } })
  expect(names).toMatchObject({ question: { rating: 'Note', text: 'Text' }, field: { chat: 'Chat' } })
})
