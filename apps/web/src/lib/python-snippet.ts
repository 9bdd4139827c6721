import { basePath } from '#lib/api/base.ts'

/** What stands for an API key on the screen; the key itself is in what is copied. */
export const keyDots = '••••••••'

/** The first steps with the Python SDK. */
export const pythonSnippet = (apiKey: string): string => `import argilla as rg

client = rg.Argilla(api_url="${location.origin}${basePath}", api_key="${apiKey}")

settings = rg.Settings(
    fields=[rg.TextField(name="text")],
    questions=[rg.LabelQuestion(name="label", labels=["yes", "no"])],
)
dataset = rg.Dataset(name="first", workspace="default", settings=settings)
dataset.create()
dataset.records.log([{"text": "The first record"}])
`
