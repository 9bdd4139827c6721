import { useTranslation } from 'react-i18next'
import { useUser } from '#features/auth/service.ts'
import { basePath } from '#lib/api/base.ts'
import { CodeBlock } from '#ui/CodeBlock.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'

const dots = '••••••••'

/** The first steps with the Python SDK; the key is in what is copied, not on the screen. */
const snippet = (apiKey: string): string => `import argilla as rg

client = rg.Argilla(api_url="${location.origin}${basePath}", api_key="${apiKey}")

settings = rg.Settings(
    fields=[rg.TextField(name="text")],
    questions=[rg.LabelQuestion(name="label", labels=["yes", "no"])],
)
dataset = rg.Dataset(name="first", workspace="default", settings=settings)
dataset.create()
dataset.records.log([{"text": "The first record"}])
`

export const NoDatasets = () => {
  const { t } = useTranslation('features/home')
  const user = useUser()
  if (user.role === 'annotator') return <EmptyState title={t('none')} hint={t('noneForAnnotator')} />
  return (
    <>
      <EmptyState title={t('none')} hint={t('noneForMakers')} />
      <CodeBlock label={t('pythonExample')} shown={snippet(dots)} copied={snippet(user.api_key)} />
    </>
  )
}
