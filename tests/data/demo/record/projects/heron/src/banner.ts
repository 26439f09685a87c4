export function banner(missing: number, format: (cents: number) => string): string {
  return "";
}
