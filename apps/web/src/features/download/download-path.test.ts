import { expect, test } from 'vitest'
import { downloadPath } from './download-path.ts'

const plain = {
  format: 'jsonl',
  shape: 'wide',
  question: null,
  keepsLongest: false,
  escapeFormulas: true,
  search: null,
  at: null,
} as const
const params = (url: string) => Object.fromEntries(new URL(url, 'http://localhost').searchParams)

test('a table has a shape, and formulas are escaped only for formats that spreadsheets open', () => {
  expect(params(downloadPath('an id', plain))).toEqual({ format: 'jsonl', shape: 'wide' })
  expect(params(downloadPath('an id', { ...plain, format: 'csv', shape: 'long' }))).toEqual({
    format: 'csv',
    shape: 'long',
    escape_formulas: 'true',
  })
  expect(downloadPath('an id', plain)).toContain('/datasets/an%20id/records/download?')
})

test('a training file names its question, and a search limits the records', () => {
  const search = { query: { text: { q: 'a & b' } } }
  expect(params(downloadPath('id', { ...plain, format: 'spacy', shape: 'final', question: 'names', search }))).toEqual({
    format: 'spacy',
    shape: 'final',
    question: 'names',
    search: JSON.stringify(search),
  })
  expect(params(downloadPath('id', { ...plain, format: 'conll', question: 'names', keepsLongest: true }))).toMatchObject({
    overlaps: 'longest',
  })
  expect(params(downloadPath('id', { ...plain, format: 'label_studio', question: 'names' }))).not.toHaveProperty('question')
})

test('a snapshot is downloaded as a whole', () => {
  const search = { query: { text: { q: 'a' } } }
  expect(params(downloadPath('id', { ...plain, search, at: 'snapshot' }))).toEqual({
    format: 'jsonl',
    shape: 'wide',
    at: 'snapshot',
  })
})
