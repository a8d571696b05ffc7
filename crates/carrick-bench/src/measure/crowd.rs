//! Many clients at once, each of which hears every push.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio::time::timeout;

use crate::client::{Client, Said};
use crate::subject::Subject;

/// A push that has not been heard by then will not be.
const PATIENCE: Duration = Duration::from_secs(20);

/// The clients. Dropping it lets go of all of them.
pub(crate) struct Crowd {
    clients: JoinSet<()>,
    /// One permit for each push that one of them heard.
    heard: Arc<Semaphore>,
}

impl Crowd {
    /// Connects so many, one after another, and lets them listen.
    pub(crate) async fn gather(subject: &Subject, count: usize) -> Result<Self> {
        let mut crowd = Self { clients: JoinSet::new(), heard: Arc::new(Semaphore::new(0)) };
        for number in 1..=count {
            let client = Client::open(subject).await.with_context(|| format!("client {number}"))?;
            crowd.clients.spawn(listen(client, Arc::clone(&crowd.heard)));
        }
        Ok(crowd)
    }

    /// Waits until each of them has heard one more push.
    pub(crate) async fn all_heard(&self) -> Result<()> {
        let everyone = u32::try_from(self.clients.len())?;
        let heard = timeout(PATIENCE, self.heard.acquire_many(everyone)).await;
        heard
            .with_context(|| format!("of {everyone} clients, {} heard", self.heard.available_permits()))??
            .forget();
        Ok(())
    }
}

async fn listen(mut client: Client, heard: Arc<Semaphore>) {
    while let Ok(said) = client.hear().await {
        if matches!(said, Said::Push) {
            heard.add_permits(1);
        }
    }
}
