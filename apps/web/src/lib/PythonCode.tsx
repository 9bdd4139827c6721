import { basePath } from '#lib/api/base.ts'
import { CodeBlock } from '#ui/marks/CodeBlock.tsx'

/** What stands for an API key on the screen; the key itself is in what is copied. */
const dots = '••••••••'
const usualWorkspace = 'default'

/** The workspace that the code is written for: the usual one, or the first of those that the user has. */
const workspaceOf = (workspaces: readonly { readonly name: string }[]): string => {
  const names = workspaces.map(({ name }) => name)
  return names.includes(usualWorkspace) ? usualWorkspace : (names[0] ?? usualWorkspace)
}

const codeWith = (apiKey: string, workspace: string): string => `import argilla as rg

client = rg.Argilla(api_url="${location.origin}${basePath()}", api_key="${apiKey}")

settings = rg.Settings(
    fields=[rg.TextField(name="text")],
    questions=[rg.LabelQuestion(name="label", labels=["yes", "no"])],
)
dataset = rg.Dataset(name="first", workspace="${workspace}", settings=settings)
dataset.create()
dataset.records.log([{"text": "The first record"}])
`

type Props = {
  readonly label: string
  readonly apiKey: string
  /** Those that the user has, where they are known. */
  readonly workspaces?: readonly { readonly name: string }[]
}

/** The first steps with the Python SDK, to be copied with the user's own key. */
export const PythonCode = ({ label, apiKey, workspaces = [] }: Props) => {
  const workspace = workspaceOf(workspaces)
  return <CodeBlock label={label} shown={codeWith(dots, workspace)} copied={codeWith(apiKey || dots, workspace)} />
}
