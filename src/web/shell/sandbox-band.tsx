/** Above every page of the sandbox. */
export function SandboxBand() {
  return (
    <p className="bg-sandbox-soft px-9 py-1 text-xs font-medium text-sandbox phone:px-4">
      Sandbox · files are removed 24 hours after they are ordered
    </p>
  )
}
