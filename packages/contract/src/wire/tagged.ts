import { z } from 'zod'
import { process as processSchema } from 'zod/v4/core'

/** A path element that names the chosen member of a tagged union rather than a key of the input. */
export const tagPart = (tag: string): symbol => Symbol.for(`tag:${tag}`)
export const tagOf = (part: symbol): string => (Symbol.keyFor(part) ?? '').slice('tag:'.length)

/**
 * The schemas of the kinds that Postil has added to the types of Argilla's API, keyed by kind. Each kind has the same tag as one
 * of these types: for example, the kind `turns` has the tag `span`. The input names its kind in `postil_kind`. For fields, `view`
 * is also sufficient.
 */
type KindSchemas = ReadonlyMap<unknown, { readonly tag: unknown; readonly schema: z.ZodType }>
type TaggedDef = z.core.$ZodDiscriminatedUnionDef & { readonly tags: ReadonlySet<unknown>; readonly kinds: KindSchemas }
type TaggedType = z.ZodType & { _zod: z.core.$ZodDiscriminatedUnionInternals & { def: TaggedDef } }

const Tagged: z.core.$constructor<TaggedType, TaggedDef> = z.core.$constructor('Tagged', (inst, def) => {
  z.ZodDiscriminatedUnion.init(inst as never, def as never)
  const parse = inst._zod.parse
  const list = [...def.tags].map((tag) => `'${tag}'`).join(', ')
  const refuse = (payload: z.core.ParsePayload, type: string, message: string) => {
    payload.issues.push({ code: 'custom', input: payload.value, inst, params: { type }, message })
    return payload
  }
  inst._zod.parse = (payload, ctx) => {
    const input = payload.value
    if (typeof input !== 'object' || input === null || Array.isArray(input)) return parse(payload, ctx)
    const tag: unknown = Reflect.get(input, def.discriminator)
    if (tag === undefined) {
      return refuse(payload, 'union_tag_not_found', `Unable to extract tag using discriminator '${def.discriminator}'`)
    }
    if (typeof tag !== 'string' || !def.tags.has(tag)) {
      return refuse(
        payload,
        'union_tag_invalid',
        `Input tag found using '${def.discriminator}' does not match any of the expected tags: ${list}`,
      )
    }
    const kind = def.kinds.get(Reflect.get(input, 'postil_kind') ?? Reflect.get(input, 'view'))
    // The schema of a union member may return a payload object other than the one it was given. Pipes do so, for example. The
    // cast is safe because no schema of the wire is asynchronous.
    const result = (kind?.tag === tag ? kind.schema._zod.run(payload, ctx) : parse(payload, ctx)) as z.core.ParsePayload
    for (const issue of result.issues) Object.assign(issue, { path: [tagPart(tag), ...(issue.path ?? [])] })
    return result
  }
  const processJson = inst._zod.processJSONSchema
  inst._zod.processJSONSchema = (ctx, json, params) => {
    processJson?.(ctx, json, params)
    if (def.kinds.size === 0) return
    const published = json.oneOf ?? []
    delete json.oneOf
    // `oneOf` would be wrong, because an input of one of these kinds also matches the type of Argilla's API that has the same
    // tag.
    json.anyOf = [
      ...published,
      ...[...def.kinds.values()].map(({ schema }, i) =>
        processSchema(schema, ctx, { ...params, path: [...params.path, 'anyOf', published.length + i] }),
      ),
    ]
  }
})

/**
 * A union that chooses its member by the literal under `key`. Problems inside a member have the tag in their path. If several
 * members have the same tag, the literal under `postil_kind` chooses between them. The member that has no such literal is used
 * for all other inputs.
 */
export const tagged = <const Options extends readonly z.ZodType[]>(
  key: string,
  options: Options,
): z.ZodType<z.output<Options[number]>, z.input<Options[number]>> => {
  const literal = (option: z.ZodType, name: string): unknown => [...(option._zod.propValues?.[name] ?? [])][0]
  const [ofKinds, published] = [true, false].map((isKind) =>
    options.filter((option) => (literal(option, 'postil_kind') !== undefined) === isKind),
  ) as [z.ZodType[], z.ZodType[]]
  const union = z.discriminatedUnion(key, published as never) as unknown as { _zod: { def: z.core.$ZodDiscriminatedUnionDef } }
  const tags = new Set<unknown>(published.flatMap((option) => [...(option._zod.propValues?.[key] ?? [])]))
  const kinds = new Map(ofKinds.map((schema) => [literal(schema, 'postil_kind'), { tag: literal(schema, key), schema }]))
  const schema: unknown = new Tagged({ ...union._zod.def, tags, kinds })
  return schema as z.ZodType<z.output<Options[number]>, z.input<Options[number]>>
}
