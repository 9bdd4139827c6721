import type { Me } from '@postil/contract/people/users.ts'
import { basePath } from '#lib/api/base.ts'
import { CodeBlock } from '#ui/marks/CodeBlock.tsx'

/** Shown on the screen instead of the API key. The copied text has the real key. */
const dots = '••••••••'
const defaultWorkspace = 'default'

/** Returns the workspace for the code: the default workspace if the user is in it, otherwise the user's first one. */
const workspaceOf = (workspaces: readonly { readonly name: string }[]): string => {
  const names = workspaces.map(({ name }) => name)
  return names.includes(defaultWorkspace) ? defaultWorkspace : (names[0] ?? defaultWorkspace)
}

const renderCode = (apiKey: string, workspace: string): string => `import argilla as rg

client = rg.Argilla(api_url="${location.origin}${basePath()}", api_key="${apiKey}")

settings = rg.Settings(
    fields=[rg.TextField(name="text")],
    questions=[rg.LabelQuestion(name="label", labels=["yes", "no"])],
)
dataset = rg.Dataset(name="first", workspace="${workspace}", settings=settings)
dataset.create()
dataset.records.log([{"text": "The first record"}])
`

const renderHubCode = (apiKey: string): string => `import argilla as rg
from datasets import load_dataset

client = rg.Argilla(api_url="${location.origin}${basePath()}", api_key="${apiKey}")

rows = load_dataset("owner/name", split="train")
dataset = client.datasets(name="first", workspace="${defaultWorkspace}")
dataset.records.log(rows, mapping={"column": "text"})
`

type Props = {
  readonly label: string
  readonly user: Pick<Me, 'role' | 'api_key'>
  /** The user's workspaces, if they are loaded. */
  readonly workspaces?: readonly { readonly name: string }[]
}

/**
 * First steps with the Python SDK. For owners and admins, the copied code contains their API key. Annotators can't create
 * datasets, so the code for them contains no key.
 */
export const PythonCode = ({ label, user, workspaces = [] }: Props) => {
  const workspace = workspaceOf(workspaces)
  const apiKey = user.role === 'annotator' ? '' : user.api_key
  return <CodeBlock label={label} shown={renderCode(dots, workspace)} copied={renderCode(apiKey || dots, workspace)} />
}

/**
 * Code that logs data from the Hub with the Python SDK. Only for owners and admins, because the copied code contains their API
 * key.
 */
export const HubCode = ({ label, user }: Pick<Props, 'label' | 'user'>) => (
  <CodeBlock label={label} shown={renderHubCode(dots)} copied={renderHubCode(user.api_key || dots)} />
)
