import type { Home } from '@postil/contract/home.ts'
import { useUser } from '#features/auth/public.ts'
import { GuidesLink } from '#features/guides/public.ts'
import { HubStart } from '#features/hub/public.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { PythonCode } from '#lib/PythonCode.tsx'
import { EmptyState } from '#ui/feedback/EmptyState.tsx'
import { ExampleList } from './ExampleList.tsx'
import { NewDatasetMenu } from './NewDatasetMenu.tsx'
import styles from './NoDatasets.module.css'

export const NoDatasets = ({ home, canCreate }: { readonly home: Home; readonly canCreate: boolean }) => {
  const { t } = useTranslation('features/home')
  const user = useUser()
  if (user.role === 'annotator') return <EmptyState title={t('none')} hint={t('noneForAnnotator')} action={<GuidesLink />} />
  if (!canCreate) return <EmptyState title={t('none')} hint={t('noneWithoutWorkspace')} action={<GuidesLink />} />
  return (
    <>
      <EmptyState title={t('none')} hint={t('noneForMakers')} action={<NewDatasetMenu home={home} align="start" />} />
      <section className={styles['examples']} aria-labelledby="examples">
        <h2 id="examples" className={styles['title']}>
          {t('fromExample')}
        </h2>
        <ExampleList home={home} />
      </section>
      <HubStart />
      <p className={styles['python']}>{t('pythonHint')}</p>
      <PythonCode label={t('pythonExample')} user={user} workspaces={home.workspaces} />
    </>
  )
}
