import { fieldKinds } from '@postil/contract/field-types/define.ts'
import { questionKinds } from '@postil/contract/question-types/define.ts'
import { expect, test } from 'vitest'

type Named = { readonly name: string; readonly fieldType: { readonly [kind: string]: string } }
type Own = Pick<Named, 'fieldType'> & { readonly questionType: { readonly [kind: string]: string } }

const own = import.meta.glob<Own>('./messages.*.json', { eager: true, import: 'default' })
const slices = import.meta.glob<Named>('../../question-types/*/messages.*.json', { eager: true, import: 'default' })
const creation = import.meta.glob<Named>('../create/messages.*.json', { eager: true, import: 'default' })

// The home page has its own copy of these names, so that its first render doesn't wait for the messages of every slice.
test.each(['en', 'de', 'es'])('types have the same names on the home page as elsewhere (%s)', (language) => {
  const { questionType, fieldType } = own[`./messages.${language}.json`] ?? { questionType: {}, fieldType: {} }
  const nameOf = (kind: string) => slices[`../../question-types/${kind}/messages.${language}.json`]?.name
  expect(questionType).toEqual(Object.fromEntries(questionKinds.map((kind) => [kind, nameOf(kind)])))
  expect(fieldType).toEqual(creation[`../create/messages.${language}.json`]?.fieldType)
  expect(Object.keys(fieldType).sort()).toEqual([...fieldKinds].sort())
})
