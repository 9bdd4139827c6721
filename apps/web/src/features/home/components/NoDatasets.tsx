import type { Home } from '@postil/contract/home.ts'
import { Link } from '@tanstack/react-router'
import { useUser } from '#features/auth/public.ts'
import { GuidesLink } from '#features/guides/public.ts'
import { HubStart } from '#features/hub/public.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { PythonCode } from '#lib/PythonCode.tsx'
import { buttonClass } from '#ui/controls/button-class.ts'
import { EmptyState } from '#ui/feedback/EmptyState.tsx'
import { PlusIcon } from '#ui/marks/icons.tsx'
import { ExampleList } from './ExampleList.tsx'
import styles from './NoDatasets.module.css'

export const NoDatasets = ({ home }: { readonly home: Home }) => {
  const { t } = useTranslation('features/home')
  const user = useUser()
  if (user.role === 'annotator') return <EmptyState title={t('none')} hint={t('noneForAnnotator')} action={<GuidesLink />} />
  // A dataset needs a workspace, and only owners create workspaces.
  if (user.role === 'admin' && home.workspaces.length === 0)
    return <EmptyState title={t('none')} hint={t('noneWithoutWorkspace')} action={<GuidesLink />} />
  return (
    <>
      <EmptyState
        title={t('none')}
        hint={t('noneForMakers')}
        action={
          <Link to="/new/{-$datasetId}" className={buttonClass('primary', 'main')}>
            <PlusIcon />
            {t('newDataset')}
          </Link>
        }
      />
      <p className={styles['guides']}>
        <GuidesLink />
      </p>
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
