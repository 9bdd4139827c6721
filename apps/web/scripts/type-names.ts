import { readFileSync } from 'node:fs'
import type { Plugin } from 'vite'

const ending = '.json?name'

/**
 * Lets code import the name of a question or field type without the type's other messages. For example, `messages.en.json?name`
 * exports `name`.
 */
export const typeNames = (): Plugin => ({
  name: 'postil-type-names',
  enforce: 'pre',
  load: (id) => {
    if (!id.endsWith(ending)) return null
    const { name } = JSON.parse(readFileSync(id.slice(0, -'?name'.length), 'utf8')) as { readonly name: string }
    return { code: `export const name = ${JSON.stringify(name)}`, moduleType: 'js' }
  },
})
