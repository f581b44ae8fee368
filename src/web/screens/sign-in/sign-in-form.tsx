import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { type Environment, environmentOfKey } from '../../../contract/interface/environment.ts'
import { ApiError } from '../../base/api/client.ts'
import { Button } from '../../base/ui/button.tsx'
import { LabelledCheckbox } from '../../base/ui/checkbox.tsx'
import { Notice } from '../../base/ui/notice.tsx'
import { Segmented } from '../../base/ui/segmented.tsx'
import { openDemo } from '../../signed-in/session/demo.ts'
import { environmentName, offeredEnvironments, offersDemo } from '../../signed-in/session/offers.ts'
import { checkKey, keyProblem, type SignedIn } from './check-key.ts'
import { KeyField } from './key-field.tsx'

type Props = {
  environment: Environment
  /** called when a key check starts: most keys are valid, so the next page can load concurrently */
  onCheck: () => void
  onSignedIn: (signedIn: SignedIn, keep: boolean) => void
}

/** Asks for a key. Detects its environment by its prefix, if it has one. */
export function SignInForm({ environment: asked, onCheck, onSignedIn }: Props) {
  const [keep, setKeep] = useState(false)
  const form = useKeyForm(asked, onCheck, (signedIn) => onSignedIn(signedIn, keep))
  return (
    <form noValidate className="grid gap-5" onSubmit={form.submit}>
      <div className="grid gap-1.5">
        <h1 className="text-2xl font-semibold tracking-tight">Sign in with your API key</h1>
        <p className="text-ink-2">The key stays in this browser tab and is sent only to your transcription service.</p>
      </div>
      {offeredEnvironments().length > 1 && (
        <Segmented
          label="Environment"
          value={form.environment}
          options={offeredEnvironments().map((value) => ({ value, label: environmentName(value) }))}
          onChange={form.changeEnvironment}
        />
      )}
      <KeyField value={form.key} error={form.error} onChange={form.changeKey} />
      <LabelledCheckbox
        label="Keep me signed in until this tab closes"
        checked={keep}
        onChange={(event) => setKeep(event.target.checked)}
      />
      <Button type="submit" variant="primary" size="lg" disabled={form.isPending}>
        {form.isPending ? 'Checking key…' : 'Sign in'}
      </Button>
      {/* A demo has nothing to protect, and nobody knows its key: it survives a reload. */}
      <DemoOffer onSignedIn={(signedIn) => onSignedIn(signedIn, true)} />
    </form>
  )
}

/** State of the form: the typed key, its environment, and the service's check of both. */
function useKeyForm(asked: Environment, onCheck: () => void, onSignedIn: (signedIn: SignedIn) => void) {
  const [environment, setEnvironment] = useState(asked)
  const [key, setKey] = useState('')
  const [isMissing, setIsMissing] = useState(false)
  const check = useMutation({ mutationFn: checkKey, onMutate: onCheck, onSuccess: onSignedIn })
  const error = check.error && keyProblem(check.error, environment, key)
  return {
    environment,
    key,
    error: isMissing ? 'Enter your API key.' : error,
    isPending: check.isPending,
    changeEnvironment(next: Environment) {
      setEnvironment(next)
      check.reset()
    },
    changeKey(next: string) {
      setKey(next)
      setIsMissing(false)
      check.reset()
      const recognized = environmentOfKey(next.trim())
      if (recognized && offeredEnvironments().includes(recognized)) setEnvironment(recognized)
    },
    submit(event: FormEvent) {
      event.preventDefault()
      const trimmed = key.trim()
      setIsMissing(trimmed === '')
      if (trimmed !== '' && !check.isPending) check.mutate({ environment, key: trimmed })
    },
  }
}

/** Where to get a key; opens a demo account if the service offers that. */
function DemoOffer({ onSignedIn }: { onSignedIn: (signedIn: SignedIn) => void }) {
  const demo = useMutation({
    mutationFn: async () => checkKey(await openDemo()),
    onSuccess: onSignedIn,
  })
  return (
    <>
      <p className="text-sm text-ink-3">
        No key yet? Whoever runs this service makes them
        {offersDemo() && (
          <>
            , or{' '}
            <button
              type="button"
              disabled={demo.isPending}
              onClick={() => demo.mutate()}
              className="rounded-sm font-semibold text-accent underline-offset-2 hover:underline"
            >
              open a demo account in the sandbox
            </button>
          </>
        )}
        .
      </p>
      {demo.error && <Notice tone="bad">{demoProblem(demo.error)}</Notice>}
    </>
  )
}

function demoProblem(error: Error): string {
  if (!(error instanceof ApiError)) return 'Something went wrong on this page. Try again.'
  return error.status === 404 ? 'This service offers no demo accounts.' : error.message
}
