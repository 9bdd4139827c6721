import { isJsonObject } from '@postil/contract/wire/json.ts'
import type { FileMetaData, SchemaTree } from 'hyparquet'

export type Features = { readonly [column: string]: unknown }

const isBytes = (node: SchemaTree | undefined): boolean => node?.element.type === 'BYTE_ARRAY'
const isImage = ({ children }: SchemaTree): boolean => {
  const named = (wanted: string) => children.find(({ element }) => element.name === wanted)
  return children.length === 2 && isBytes(named('bytes')) && isBytes(named('path'))
}

const ofLeaf = ({ element }: SchemaTree): unknown => {
  const { type, converted_type, logical_type } = element
  if (converted_type === 'DATE' || logical_type?.type === 'DATE') return { _type: 'Value', dtype: 'date32' }
  const isPlain = type === 'BYTE_ARRAY' && converted_type === undefined && logical_type === undefined
  return { _type: 'Value', dtype: isPlain ? 'bytes' : 'value' }
}

const ofNode = (node: SchemaTree): unknown => {
  const { element, children } = node
  if (children.length === 0) return ofLeaf(node)
  if (element.converted_type === 'LIST' || element.logical_type?.type === 'LIST') {
    const [list] = children
    const [item] = list?.children ?? []
    const inner = list?.children.length === 1 ? item : list
    return inner === undefined ? null : { _type: 'List', feature: ofNode(inner) }
  }
  if (element.converted_type === 'MAP' || element.logical_type?.type === 'MAP') return { _type: 'Value', dtype: 'map' }
  if (isImage(node)) return { _type: 'Image' }
  return Object.fromEntries(children.map((child) => [child.element.name, ofNode(child)]))
}

/**
 * The column descriptions that the Hub's library wrote into a file. For example, they contain class names and say which columns
 * contain images.
 */
const written = ({ key_value_metadata }: FileMetaData): Features => {
  const text = key_value_metadata?.find(({ key }) => key === 'huggingface')?.value ?? ''
  try {
    const { info } = JSON.parse(text) as { info?: { features?: unknown } }
    return isJsonObject(info?.features) ? info.features : {}
  } catch {
    return {}
  }
}

/** Describes a file's columns in the Hub's terms. Uses the descriptions in the file if it has them, and the schema otherwise. */
export const featuresIn = (metadata: FileMetaData, schema: SchemaTree): Features => {
  const known = written(metadata)
  return Object.fromEntries(
    schema.children.map((child) => [
      child.element.name,
      Object.hasOwn(known, child.element.name) ? known[child.element.name] : ofNode(child),
    ]),
  )
}
