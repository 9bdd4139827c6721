import { basePath } from '#lib/api/base.ts'

/** What stands for an API key on the screen; the key itself is in what is copied. */
export const keyDots = '••••••••'

const usualWorkspace = 'default'

/** The workspace that the code is written for: the usual one, or the first of those that the user has. */
export const snippetWorkspace = (workspaces: readonly { readonly name: string }[]): string => {
  const names = workspaces.map(({ name }) => name)
  return names.includes(usualWorkspace) ? usualWorkspace : (names[0] ?? usualWorkspace)
}

/** The first steps with the Python SDK. */
export const pythonSnippet = (apiKey: string, workspace = usualWorkspace): string => `import argilla as rg

client = rg.Argilla(api_url="${location.origin}${basePath}", api_key="${apiKey}")

settings = rg.Settings(
    fields=[rg.TextField(name="text")],
    questions=[rg.LabelQuestion(name="label", labels=["yes", "no"])],
)
dataset = rg.Dataset(name="first", workspace="${workspace}", settings=settings)
dataset.create()
dataset.records.log([{"text": "The first record"}])
`
