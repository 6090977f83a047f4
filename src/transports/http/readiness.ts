/**
 * Whether this process takes new work. `serve` ends it at the first signal; the HTTP server then closes connections after
 * their next response, and readiness checks fail, so that load balancers send requests elsewhere.
 */
export class Readiness {
  #isDraining = false;

  /** True from the first signal to stop until the process ends. */
  get isDraining(): boolean {
    return this.#isDraining;
  }

  startDraining(): void {
    this.#isDraining = true;
  }
}
