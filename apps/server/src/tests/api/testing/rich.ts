import type { DatasetSpec } from '@postil/testkit/factories.ts'

/* A dataset with every type of field, question and metadata property, and records with everything that a record can contain.
   Every text in it contains `word`, so that a test can recognize it in any output. */
const options = (word: string, ...values: readonly string[]) =>
  values.map((value) => ({ value: `${word}-${value}`, text: `${word} ${value}`, description: `${word} about ${value}` }))

export const richSchema = (word: string) => ({
  guidelines: `${word} guidelines`,
  metadata: { note: `${word} note` },
  fields: [
    { name: `${word}-text`, title: `${word} Text`, required: true, settings: { type: 'text' } },
    { name: `${word}-image`, title: `${word} Image`, settings: { type: 'image' } },
    { name: `${word}-chat`, title: `${word} Chat`, settings: { type: 'chat' } },
    { name: `${word}-custom`, title: `${word} Custom`, settings: { type: 'custom', template: `<b>${word}</b>` } },
  ],
  questions: [
    { name: `${word}-label`, required: true, settings: { type: 'label_selection', options: options(word, 'a', 'b') } },
    { name: `${word}-tags`, settings: { type: 'multi_label_selection', options: options(word, 'x', 'y', 'z') } },
    { name: `${word}-stars`, settings: { type: 'rating', options: [{ value: 1 }, { value: 2 }] } },
    { name: `${word}-order`, settings: { type: 'ranking', options: options(word, 'p', 'q') } },
    { name: `${word}-words`, settings: { type: 'span', field: `${word}-text`, options: options(word, 's', 't') } },
    {
      name: `${word}-turns`,
      settings: {
        type: 'span',
        postil_kind: 'turns',
        field: `${word}-chat`,
        options: options(word, 'g', 'h'),
        unit: { of: 'turn', roles: ['assistant'] },
      },
    },
    { name: `${word}-comment`, description: `${word} description`, settings: { type: 'text', codes: true } },
  ],
  metadata_properties: [
    { name: `${word}-topic`, settings: { type: 'terms' } },
    { name: `${word}-hidden`, settings: { type: 'terms', values: [`${word} private`] }, visible_for_annotators: false },
    { name: `${word}-size`, settings: { type: 'integer' } },
    { name: `${word}-ratio`, settings: { type: 'float' } },
  ],
  vectors_settings: [
    { name: `${word}-vector`, dimensions: 2 },
    { name: `${word}-other`, dimensions: 3 },
  ],
})
export type RichSchema = ReturnType<typeof richSchema> & DatasetSpec

/** The offsets of the second message of `richFields`, in code points. */
const assistantTurn = (word: string) => {
  const start = [...`${word} question`].length + 1
  return { start, end: start + [...`${word} reply`].length }
}

/** A complete answer, which can be submitted. */
export const richValues = (word: string) => ({
  [`${word}-label`]: { value: `${word}-a` },
  [`${word}-tags`]: { value: [`${word}-x`, `${word}-z`] },
  [`${word}-stars`]: { value: 2 },
  [`${word}-order`]: {
    value: [
      { value: `${word}-q`, rank: 1 },
      { value: `${word}-p`, rank: 2 },
    ],
  },
  [`${word}-words`]: { value: [{ label: `${word}-s`, start: 0, end: 2 }] },
  [`${word}-turns`]: { value: [{ label: `${word}-g`, ...assistantTurn(word) }] },
  [`${word}-comment`]: { value: `${word} comment` },
})

export const richFields = (word: string) => ({
  [`${word}-text`]: `${word} 😀 text`,
  [`${word}-image`]: `https://example.org/${word}.png`,
  [`${word}-chat`]: [
    { role: 'user', content: `${word} question` },
    { role: 'assistant', content: `${word} reply` },
  ],
  [`${word}-custom`]: { key: `${word} value`, list: [1, null, true] },
})

export const richMetadata = (word: string) => ({
  [`${word}-topic`]: [`${word} one`, `${word} two`],
  [`${word}-hidden`]: `${word} private`,
  [`${word}-size`]: 7,
  [`${word}-ratio`]: 0.25,
  [`${word}-extra`]: { deep: [`${word} extra`] },
})

/** A record in the form in which clients send it. `questions` maps the names of the dataset's questions to their IDs. */
export const richRecord = (word: string, external_id: string | null, questions: { readonly [name: string]: string }) => ({
  fields: richFields(word),
  metadata: richMetadata(word),
  external_id,
  vectors: { [`${word}-vector`]: [0.5, -1], [`${word}-other`]: [1, 2, 3] },
  suggestions: [
    {
      question_id: questions[`${word}-label`],
      value: `${word}-b`,
      type: 'model',
      agent: `${word}/agent-1`,
      score: 0.5,
    },
    {
      question_id: questions[`${word}-tags`],
      value: [`${word}-y`, `${word}-x`],
      type: 'human',
      agent: `${word}/agent-2`,
      score: [0.25, 1],
    },
  ],
})
