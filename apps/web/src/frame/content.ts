import Handlebars from 'handlebars'

/** Escaped in `{{json x}}`, unescaped in `{{{json x}}}`. */
const printJson = (value: unknown): string => JSON.stringify(value, null, 2)

/** Basic mode: Handlebars over `record`, with a `json` helper. `{{ }}` escapes values. Throws on a broken template. */
export const fillTemplate = (template: string, record: { readonly [key: string]: unknown }): string => {
  const engine = Handlebars.create()
  engine.registerHelper('json', printJson)
  return engine.compile(template)({ record })
}
