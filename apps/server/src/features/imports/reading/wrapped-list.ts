import type { FileHandle } from 'node:fs/promises'
import { serverFieldTypes } from '#field-types/registry.ts'
import { serverQuestionTypes } from '#question-types/registry.ts'
import { FileFault, pieces, textOf } from './pieces.ts'
import { type Member, type ScannedObject, scanObject } from './scan-object.ts'
import { splitList } from './splitters.ts'

/** The keys under which programs and services put the list of their records. */
const LIST_KEYS = [
  'data',
  'rows',
  'records',
  'items',
  'results',
  'examples',
  'samples',
  'entries',
  'documents',
  'instances',
  'tasks',
  'texts',
]

/** Whether a list of objects is a value inside a record, such as the messages of a chat, rather than a list of records. */
const isValueOfRecord = async (file: FileHandle, { first }: Member): Promise<boolean> => {
  try {
    for await (const { bytes } of pieces(file, first, splitList({ begins: 'before' }))) {
      const item: unknown = JSON.parse(textOf(bytes).trim().slice(1, -1))
      const types = [...Object.values(serverFieldTypes), ...Object.values(serverQuestionTypes)]
      return types.some(({ recognizes }) => recognizes?.([item]) === true)
    }
  } catch (error) {
    if (!(error instanceof FileFault || error instanceof SyntaxError)) throw error
  }
  return false
}

/**
 * Finds the list of records in a nested object. The nested object must be the only value in the file's object. All other values
 * in the nested object must be IDs, as in `{"data": {"dataset_id": …, "examples": […]}}`.
 */
export const findNestedList = async (file: FileHandle, { members, count, followed }: ScannedObject): Promise<Member | null> => {
  const [only] = members
  if (count !== 1 || followed || only?.kind !== 'object') return null
  const { members: inner, count: number } = await scanObject(file, only.first)
  const found = await findWrappedList(file, { members: inner, count: number, followed: false })
  const others = inner.filter((one) => one !== found)
  const areIds = others.length > 0 && others.every(({ key }) => /id$/i.test(key))
  return found?.firstItem === 'object' && areIds ? found : null
}

/**
 * Finds the list of records in a file that consists of one object, such as `{"data": [{…}, {…}]}`. The list is the value of a key
 * that usually contains records, such as `data` or `rows`, or the object's only value.
 * @returns null if there is no such list. The object is then itself a record
 */
export const findWrappedList = async (file: FileHandle, { members, count, followed }: ScannedObject): Promise<Member | null> => {
  const lists = members.filter(({ kind, firstItem }) => kind === 'list' && firstItem !== null && firstItem !== 'other')
  const isNamed = ({ key }: Member, name: string): boolean => key.toLowerCase() === name
  const named = LIST_KEYS.flatMap((name) => lists.filter((one) => isNamed(one, name)))
  const [chosen] = [...named, ...(count === 1 ? lists : [])]
  if (followed || chosen === undefined) return null
  return chosen.firstItem === 'object' && (await isValueOfRecord(file, chosen)) ? null : chosen
}
