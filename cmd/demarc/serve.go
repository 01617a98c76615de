package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"

	"demarc/cmd/demarc/demo"
	"demarc/importers/catalogue"
	"demarc/store/posture"
	"demarc/store/posture/library"
	"demarc/web"
)

type serveCmd struct {
	database
	Listen string `default:"127.0.0.1:8080" env:"DEMARC_LISTEN" help:"Address and port to serve on."`
	Demo   bool   `help:"Add the sample portfolio: the worked scenario, and runtimes on catalogue systems."`
	HTTPS  bool   `name:"https" env:"DEMARC_HTTPS" help:"Browsers reach this server by https (through a proxy): send cookies over https only."`
}

const (
	serveWait    = time.Minute
	drain        = 10 * time.Second
	housekeeping = 15 * time.Second
)

// Run serves until it is told to stop, then lets requests in hand finish.
func (c *serveCmd) Run(ctx context.Context, e *env) error {
	log := slog.New(slog.NewTextHandler(e.Stderr, nil))
	// Taken first, so that a port in use is said before a database is started.
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", c.Listen)
	if err != nil {
		return &inputError{fmt.Errorf("cannot listen on %s: choose another address with --listen (%w)", c.Listen, err)}
	}
	db, err := c.open(ctx, e, "serve", serveWait)
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	err = c.serve(ctx, e, log, db, listener)
	return errors.Join(err, db.Close())
}

func (c *serveCmd) serve(ctx context.Context, e *env, log *slog.Logger, db *opened, listener net.Listener) error {
	if err := prepare(ctx, db, c.Demo); err != nil {
		return errors.Join(err, listener.Close())
	}
	address := "http://" + listener.Addr().String()
	if err := announce(ctx, e, db, address); err != nil {
		return errors.Join(err, listener.Close())
	}
	pages := web.New(web.Config{
		Store: db.Store, Clock: time.Now, Log: log, Secure: c.HTTPS, Library: library.Version, Policy: "1",
	})
	server := &http.Server{
		Handler:           pages.Handler(),
		ReadHeaderTimeout: 10 * time.Second,
		IdleTimeout:       2 * time.Minute,
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var work sync.WaitGroup
	work.Go(func() { keepHouse(ctx, log, db) })
	work.Go(func() {
		if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			cancel(fmt.Errorf("serve: %w", err))
		}
	})
	select {
	case <-ctx.Done():
	case <-db.exited():
		cancel(errors.New("the embedded PostgreSQL has ended: its log says why (log/postgres.log in the data directory)"))
	}
	closing, done := context.WithTimeout(context.WithoutCancel(ctx), drain)
	defer done()
	err := server.Shutdown(closing)
	work.Wait()
	if cause := context.Cause(ctx); cause != nil && !errors.Is(cause, context.Canceled) {
		return errors.Join(cause, err)
	}
	return err
}

// prepare loads the shipped catalogue and, when asked, the sample portfolio.
func prepare(ctx context.Context, db *opened, sample bool) error {
	shipped, err := catalogue.Shipped()
	if err != nil {
		return fmt.Errorf("read the shipped catalogue: %w", err)
	}
	a := posture.Access{Actor: "demarc:catalogue", Role: posture.Admin, AllPortfolios: true, Request: "start"}
	if _, err := db.LoadCatalogue(ctx, a, shipped.Posture()); err != nil {
		return fmt.Errorf("load the catalogue: %w", err)
	}
	if sample {
		return demo.Load(ctx, db.Store, shipped, time.Now())
	}
	return nil
}

// announce says where the pages are and, while no account exists, the one-time
// link that makes the first administrator.
func announce(ctx context.Context, e *env, db *opened, address string) error {
	needed, err := db.SetUpNeeded(ctx)
	if err != nil {
		return err
	}
	if !needed {
		_, err = fmt.Fprintf(e.Stdout, "Demarc serves %s\n", address)
		return err
	}
	token, err := db.NewSetup(ctx, localAccess().Actor)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(e.Stdout, "Demarc serves %s\nNo account exists yet. Open this link within 24 hours to make the first administrator:\n\n  %s/setup/%s\n\n", address, address, token)
	return err
}

// keepHouse settles verdicts whose time has passed and seals the audit log,
// until ctx ends. Several replicas may do so at once: both work under locks.
func keepHouse(ctx context.Context, log *slog.Logger, db *opened) {
	a := posture.Access{Actor: "demarc:clock", Role: posture.Viewer, AllPortfolios: true, Request: "clock"}
	tick := time.NewTicker(housekeeping)
	defer tick.Stop()
	for {
		if _, err := db.Settle(ctx, a, 2000); err != nil && ctx.Err() == nil {
			log.ErrorContext(ctx, "settle verdicts", "error", err)
		}
		if _, err := db.Seal(ctx); err != nil && ctx.Err() == nil {
			log.ErrorContext(ctx, "seal the audit log", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}
