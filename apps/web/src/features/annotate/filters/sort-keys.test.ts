import type { SortKey } from '@postil/contract/annotation-query/grammar.ts'
import type { MetadataProperty } from '@postil/contract/metadata-properties.ts'
import { questionKinds, questionType } from '@postil/contract/question-types/index.ts'
import type { Question } from '@postil/contract/questions.ts'
import { describe, expect, test } from 'vitest'
import { reverseOrder, sortGroups, sortId, unusedGroups } from './sort-keys.ts'

const questions = questionKinds.map((kind) => ({ name: kind, settings: questionType(kind).fixtures.settings }) as Question)
const groups = sortGroups({ questions, properties: [{ name: 'length' } as MetadataProperty], seesSuggestions: true })
const names = (id: string) => groups.find((group) => group.id === id)?.keys.map((key) => key.name)
const sort = (entity: SortKey['entity'], name: string, property: SortKey['property'], order: SortKey['order'] = 'asc') => ({
  entity,
  name,
  property,
  order,
})

describe('sort keys', () => {
  test('are the general ones, scores of every question, values of numeric questions, and metadata', () => {
    expect(names('general')).toEqual(['inserted_at', 'updated_at'])
    expect(names('suggestionScore')).toEqual([...questionKinds])
    expect(names('suggestionValue')).toEqual(['rating'])
    expect(names('responseValue')).toEqual(['rating'])
    expect(names('metadata')).toEqual(['length'])
    expect(groups.flatMap((group) => group.keys).every((key) => key.order === 'asc')).toBe(true)
  })

  test('omit empty groups', () => {
    expect(sortGroups({ questions: [], properties: [], seesSuggestions: true }).map((group) => group.id)).toEqual(['general'])
  })

  test('are offered once, whichever direction is in use', () => {
    const used = [sort('record', 'inserted_at', null, 'desc'), sort('response', 'rating', null), sort('metadata', 'length', null)]
    const left = unusedGroups(groups, used)
    expect(left.map((group) => group.id)).toEqual(['general', 'suggestionScore', 'suggestionValue'])
    expect(left[0]?.keys.map((key) => key.name)).toEqual(['updated_at'])
  })

  test('differ by what they sort, not by their direction', () => {
    expect(sortId(sort('suggestion', 'a', 'score'))).not.toBe(sortId(sort('suggestion', 'a', 'value')))
    expect(sortId(sort('suggestion', 'a', null))).toBe(sortId(sort('suggestion', 'a', 'value', 'desc')))
    expect(sortId(sort('record', 'a', null))).not.toBe(sortId(sort('metadata', 'a', null)))
  })

  test('are reversed one at a time', () => {
    const keys = [sort('record', 'inserted_at', null), sort('metadata', 'length', null)]
    expect(reverseOrder(keys, 1).map((key) => key.order)).toEqual(['asc', 'desc'])
    expect(reverseOrder(reverseOrder(keys, 0), 0)).toEqual(keys)
  })
})
